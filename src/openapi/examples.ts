import { readFileSync } from "node:fs";
import { ALIASES, CURRENT_SEGMENT } from "../dialects/dialects.ts";

/**
 * Examples of requests and responses, recorded from a real run of the service by `npm run api`. A test runs the same story again and
 * compares, so that they cannot drift from what the service does.
 */
export type RecordedExample = {
  readonly name: string;
  readonly summary: string;
  /** The request: a JSON body, or the content of the file in a form. */
  readonly sent?: unknown;
  readonly file?: string;
  readonly status: number;
  readonly location?: string;
  /** The response: a JSON body, or the text of another type. */
  readonly body?: unknown;
  readonly text?: string;
};

export type RecordedExamples = {
  /** By method and path, as the description has them. */
  readonly operations: { readonly [operation: string]: readonly RecordedExample[] };
  /** Bodies of refusals, by status. */
  readonly refusals: { readonly [status: string]: unknown };
};

const FOLDER = new URL("../../docs/api/examples/", import.meta.url);

/** Read when a description is made, which is once for each version: nothing is held in memory. */
export function readExamples(segment: string): RecordedExamples {
  const recorded = ALIASES.includes(segment) ? CURRENT_SEGMENT : segment;
  const text = readFileSync(new URL(`${recorded}.json`, FOLDER), "utf8");
  return JSON.parse(recorded === segment ? text : text.replaceAll(`/api/${recorded}/`, `/api/${segment}/`));
}

type Example = { readonly summary: string; readonly value: unknown };
export type NamedExamples = { readonly [name: string]: Example };

function named(
  examples: readonly RecordedExample[],
  pick: (example: RecordedExample) => unknown,
): NamedExamples | undefined {
  const chosen = examples.filter((example) => pick(example) !== undefined);
  if (chosen.length === 0) return undefined;
  return Object.fromEntries(chosen.map((one) => [one.name, { summary: one.summary, value: pick(one) }]));
}

export const sentExamples = (examples: readonly RecordedExample[]) => named(examples, ({ sent }) => sent);

export const formExamples = (examples: readonly RecordedExample[]) =>
  named(examples, ({ file }) => (file === undefined ? undefined : { file }));

export const bodyExamples = (examples: readonly RecordedExample[], status: number) =>
  named(
    examples.filter((example) => example.status === status),
    ({ body }) => body,
  );

export const textExamples = (examples: readonly RecordedExample[]) => named(examples, ({ text }) => text);
