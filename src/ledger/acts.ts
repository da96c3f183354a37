/** Prefix of the `act` of ledger rows in which an operator replaced a whole tender; the reason follows it. */
export const REPLACE_ACT_PREFIX = "replace: ";
