/** A code of a tender or an address: 2 to 8 digits, and after 8 digits maybe a check digit. */
const CODE = /^(\d{2,8})(?:(?<=\d{8})-\d)?$/;

/**
 * The category of a CPV code: its digits without the zeros at the end, at least two. `33600000-6`, `33600000` and `336` are all `336`,
 * which is a prefix of everything that belongs to it. Undefined if the text cannot be a code.
 */
export function cpvCategory(code: string): string | undefined {
  const [, digits] = CODE.exec(code.trim()) ?? [];
  return digits?.replace(/^(\d\d\d*?)0*$/, "$1");
}
