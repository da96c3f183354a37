const TRACKING_PARAMETER =
  /^(?:utm_\w*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl)$/;

/** Whether a parameter is one that other sites add to the links that lead here. It says nothing about what the reader wants. */
export const isTrackingParameter = (name: string): boolean => TRACKING_PARAMETER.test(name);
