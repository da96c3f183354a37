/** Text for the operator, or all reasons why the request is refused. */
export type OperatorReply =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[] };

export const successReply = (text: string): OperatorReply => ({ ok: true, text });
export const errorReply = (...problems: readonly string[]): OperatorReply => ({ ok: false, problems });
