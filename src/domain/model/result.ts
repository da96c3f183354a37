/** A value or a refusal. Functions that may refuse return a `Result`; exceptions are for bugs only. */
export type Result<Value, Refused> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refused: Refused };

/** A successful result. */
export const ok = <Value>(value: Value) => ({ ok: true, value }) as const;
/** A refusal as a result. */
export const refuse = <Refused>(refused: Refused) => ({ ok: false, refused }) as const;
