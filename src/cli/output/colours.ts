import type { Environment } from "../../config/config.ts";

/** The styles of a terminal. Each function returns the text with its colour codes, or unchanged without colours. */
export type TerminalStyle = { readonly [name in keyof typeof CODES]: (text: string) => string };

/** SGR codes that start and end each style. */
const CODES = {
  strong: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  warning: [33, 39],
  bad: [31, 39],
  accent: [36, 39],
} as const;

/** Whether to colour output: FORCE_COLOR decides if it is set, as in Node; NO_COLOR turns colours off; otherwise only on terminals. */
export function isColoured(out: { readonly isTTY?: boolean | undefined }, environment: Environment): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return !NO_COLOR && TERM !== "dumb" && out.isTTY === true;
}

/** The styles with or without colours. */
export function styleOf(coloured: boolean): TerminalStyle {
  const style = (name: keyof typeof CODES) => {
    const [begin, end] = CODES[name];
    // Each line is styled on its own: a style that spans lines would colour neighbouring table cells.
    return (text: string) => (coloured ? text.replace(/[^\n]+/g, `\u001b[${begin}m$&\u001b[${end}m`) : text);
  };
  return {
    strong: style("strong"),
    faint: style("faint"),
    good: style("good"),
    warning: style("warning"),
    bad: style("bad"),
    accent: style("accent"),
  };
}

/** The styles for a stream. */
export const styleFor = (out: { readonly isTTY?: boolean | undefined }, environment: Environment): TerminalStyle =>
  styleOf(isColoured(out, environment));

const BAD = ["cancelled", "unsuccessful", "terminated", "invalid", "declined"];
const GOOD = ["complete", "active", "resolved"];

/** Colours a status: ended well, ended otherwise, or in progress. */
export function paintStatus({ good, bad, accent }: TerminalStyle, status: string): string {
  if (BAD.includes(status)) return bad(status);
  return GOOD.includes(status) ? good(status) : accent(status);
}

/** The text without colour codes, to measure its width. */
export const stripColours = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "");
