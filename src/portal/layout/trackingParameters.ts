const TRACKING_PARAMETER = /^(?:utm_\w+|fbclid|gclid|yclid|_gl|ref)$/;

/** Whether a parameter is one that other sites add to links. It means nothing here, so it is no mistake of the reader. */
export const isTrackingParameter = (name: string): boolean => TRACKING_PARAMETER.test(name);
