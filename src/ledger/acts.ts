/** Prefix of the act under which an operator's replacement of a whole tender is recorded. */
export const REPLACE_ACT_PREFIX = "replace: ";
