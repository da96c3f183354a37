/** A refusal is a value, a bug is a throw: whatever can be refused returns one of these two. */
export type Result<Value, Refused> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refused: Refused };

export const ok = <Value>(value: Value) => ({ ok: true, value }) as const;
export const refuse = <Refused>(refused: Refused) => ({ ok: false, refused }) as const;
