const TRACKING_PARAMETER =
  /^(?:utm_\w*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl)$/;

/** Whether a parameter is one that other sites add to the links that lead here. It says nothing about what the reader wants. */
const isTrackingParameter = (name: string): boolean => TRACKING_PARAMETER.test(name);

/** The names in a query that an address does not have, each once. Parameters of other sites' links do not count. */
export const unknownParameters = (query: URLSearchParams, known: readonly string[]): readonly string[] =>
  [...new Set(query.keys())].filter((name) => !known.includes(name) && !isTrackingParameter(name));
