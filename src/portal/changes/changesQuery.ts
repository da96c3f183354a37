import { unknownParameters } from "../../indexing/unknownParameters.ts";
import type { PageProblem } from "../layout/components.ts";
import type { Messages } from "../layout/messages/uk.ts";

/** The parameters of the page with the changes of a tender. */
export type ChangesQuery =
  /** The versions before this one, or the last ones. */
  | { readonly kind: "list"; readonly before?: number | undefined }
  | { readonly kind: "comparison"; readonly from: number; readonly to: number };

const NAMES = ["from", "to", "before"] as const;
type ParameterName = (typeof NAMES)[number];
const ECHOED_LENGTH_MAX = 60;
const echoed = (text: string): string => text.slice(0, ECHOED_LENGTH_MAX).toWellFormed();

/** Reads the query of the address; `last` is the number of the last version. What is wrong is reported, and the list is shown. */
export function readChangesQuery(
  parameters: URLSearchParams,
  last: number,
  { problems: texts }: Messages["changes"],
): { readonly query: ChangesQuery; readonly problems: readonly PageProblem[] } {
  const messages: string[] = [];
  for (const name of unknownParameters(parameters, NAMES)) messages.push(texts.unknown(echoed(name)));
  for (const name of NAMES) if (parameters.getAll(name).length > 1) messages.push(texts.repeated(name));
  const numberIn = (name: ParameterName): number | undefined => {
    const text = parameters.get(name);
    if (text === null) return undefined;
    const isVersion = /^[1-9]\d{0,8}$/.test(text) && Number(text) <= last;
    if (!isVersion) messages.push(texts.number(name, echoed(text), String(last)));
    return isVersion ? Number(text) : undefined;
  };
  const [from, to, before] = [numberIn("from"), numberIn("to"), numberIn("before")];
  if (parameters.has("from") !== parameters.has("to")) messages.push(texts.both);
  if (from !== undefined && to !== undefined && from >= to) messages.push(texts.order);
  const problems = messages.map((message) => ({ message }));
  if (problems.length === 0 && from !== undefined && to !== undefined)
    return { query: { kind: "comparison", from, to }, problems };
  return { query: { kind: "list", before: problems.length === 0 ? before : undefined }, problems };
}
