import type { DocsSite } from "../layout.ts";
import { ORIGIN_PLACEHOLDER } from "../layout.ts";
import type { DocumentedOperation } from "../openapiDocument.ts";

/** The request that the samples of an operation send, before it is written in a language. */
export type SampleRequest = {
  readonly method: string;
  /** Path of the operation below its root, with ids in braces: `/tenders/{tender_id}`. */
  readonly path: string;
  /** What comes before the path: `/api/2.5`, or nothing for operations without a version. */
  readonly root: string;
  readonly origin: string;
  /** The API key; empty where the sample reads it from the environment. */
  readonly key: string;
  readonly needsKey: boolean;
  readonly needsToken: boolean;
  /** The whole JSON body, `{"data": …}`. */
  readonly body?: { readonly data: unknown };
  readonly takesFile: boolean;
  readonly isStream: boolean;
};

/** The file that samples upload. */
export const SAMPLE_FILE = "terms.txt";
/** Streams do not end: a sample listens for as long. */
export const LISTEN_SECONDS = 5;

export function sampleRequestOf(
  operation: DocumentedOperation,
  root: string,
  data: unknown,
  { key }: DocsSite,
): SampleRequest {
  const { method, path, needsKey, takesFile, isStream } = operation;
  return {
    method,
    path,
    root,
    origin: ORIGIN_PLACEHOLDER,
    key,
    needsKey,
    needsToken: needsKey && path.includes("{tender_id}"),
    ...(data !== undefined && { body: { data } }),
    takesFile,
    isStream,
  };
}

/** Ids, tokens and keys are variables of the environment in all languages, named after the parameters: `TENDER_ID`. */
export const variableOf = (parameter: string): string => parameter.toUpperCase();

export const pathVariables = ({ path }: SampleRequest): readonly string[] =>
  (path.match(/(?<=\{)\w+(?=\})/g) ?? []).map(variableOf);

/** Every variable that the sample reads. */
export const variablesOf = (request: SampleRequest): readonly string[] => [
  ...pathVariables(request),
  ...(request.needsToken ? ["TOKEN"] : []),
  ...(request.needsKey && request.key === "" ? ["KEY"] : []),
];

/** The address, with each variable written as the language does. */
export const addressWith = (request: SampleRequest, write: (variable: string) => string): string => {
  const { origin, root, path, needsToken } = request;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => write(variableOf(name)));
  return `${origin}${root}${filled}${needsToken ? `?acc_token=${write("TOKEN")}` : ""}`;
};
