import { hash } from "node:crypto";
import type { Dialect } from "../../src/dialects/dialects.ts";
import type { ShapeName } from "../../src/dialects/newestShapes.ts";
import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import type { RecordedExample, RecordedExamples } from "../../src/openapi/examples.ts";
import { SECOND_LOT } from "./bodies.ts";
import type { ExampleRegistry } from "./registry.ts";

/** Sends requests to a real registry, and records those that are examples. */

type Values = { readonly [name: string]: string };

export type ExampleRequest = {
  /** Records the request under this name. Without a name, the request only advances the story. */
  readonly name?: string;
  readonly summary?: string;
  /** The path is unversioned. */
  readonly isOfSite?: true;
  /** The ids in the path. */
  readonly ids?: Values;
  readonly query?: Values;
  readonly headers?: Values;
  readonly key?: string;
  readonly token?: string;
  /** Sent as JSON: an object of this shape, in the names of the newest version. */
  readonly data?: readonly [shape: ShapeName, fields: object];
  /** Sent as JSON unchanged. */
  readonly json?: unknown;
  readonly file?: { readonly name: string; readonly content: string };
  /** Keeps the example small, where a response is long and regular. */
  readonly shorten?: (body: Body) => unknown;
};

// biome-ignore lint/suspicious/noExplicitAny: the story looks freely into what the registry returned.
export type Body = any;
export type ExampleResponse = { readonly status: number; readonly body: Body; readonly location: string | undefined };

export type Recorder = {
  readonly send: (operation: string, request?: ExampleRequest) => Promise<ExampleResponse>;
  /** Records a refusal, by its status. */
  readonly refuse: (operation: string, request?: ExampleRequest) => Promise<void>;
  readonly addRefusal: (status: number, body: unknown) => void;
  readonly addText: (operation: string, example: RecordedExample) => void;
  /** From here on, examples have `shown` in place of `insteadOf`. */
  readonly show: (shown: string, insteadOf: string) => void;
  readonly recorded: () => RecordedExamples;
};

/** `root` is the path of the version; `translate` converts a body to the version's names. */
export function openRecorder(
  registry: ExampleRegistry,
  root: string,
  translate: (path: string, shape: ShapeName, fields: object) => unknown,
): Recorder {
  const operations = new Map<string, RecordedExample[]>();
  const refusals: { [status: string]: unknown } = {};
  const shown = new Map<string, string>();

  function record(operation: string, example: RecordedExample): void {
    operations.set(operation, [...(operations.get(operation) ?? []), example]);
  }

  async function ask(
    operation: string,
    request: ExampleRequest,
  ): Promise<ExampleResponse & { readonly sent: unknown }> {
    const [method = "", path = ""] = operation.split(" ");
    const { ids = {}, query = {}, data, file, isOfSite } = request;
    const below = path.replaceAll(/\{(\w+)\}/g, (_, id) => ids[id] ?? "");
    const url = `${registry.url}${isOfSite ? "" : root}${below}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ""}`;
    const sent = data ? { data: translate(path, ...data) } : request.json;
    const body = file ? formOf(file) : sent === undefined ? undefined : JSON.stringify(sent);
    const response = await fetch(url, { method, redirect: "manual", headers: headersOf(request, sent), body });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const location = response.headers.get("location") ?? undefined;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, location, sent };
  }

  return {
    send: async (operation, request = {}) => {
      const { status, body, location, sent } = await ask(operation, request);
      if (status >= 400) throw new Error(`${root} ${operation}: ${status} ${JSON.stringify(body)}`);
      const { name, summary, file, shorten = (example) => example } = request;
      if (name !== undefined)
        record(operation, {
          name,
          summary: summary!,
          ...(sent !== undefined && { sent }),
          ...(file && { file: file.content }),
          status,
          ...(location && { location }),
          ...(typeof body === "string" ? body !== "" && { text: body } : { body: shorten(body) }),
        });
      return { status, body, location };
    },
    refuse: async (operation, request = {}) => {
      const { status, body } = await ask(operation, request);
      if (status < 400) throw new Error(`${root} ${operation} was expected to be refused`);
      refusals[status === 405 ? "default" : status] = body;
    },
    addRefusal: (status, body) => {
      refusals[status] = body;
    },
    addText: record,
    show: (to, from) => shown.set(from, to),
    recorded: () => normalised({ operations: Object.fromEntries(operations), refusals }, shown),
  };
}

function formOf({ name, content }: NonNullable<ExampleRequest["file"]>): FormData {
  const form = new FormData();
  form.append("file", new Blob([content], { type: "text/plain" }), name);
  return form;
}

const headersOf = ({ key, token, headers }: ExampleRequest, sent: unknown): { [name: string]: string } => ({
  ...(key && { Authorization: `Basic ${btoa(`${key}:`)}` }),
  ...(token && { "X-Access-Token": token }),
  ...(sent !== undefined && { "Content-Type": "application/json" }),
  ...headers,
});

/** Ids but not checksums. */
const RANDOM_ID = /(?<![0-9a-f]|md5:)[0-9a-f]{32}(?![0-9a-f])/g;
const SIGNATURE = "vhxeNkZ6pvlqx1RzWqD3X1tL0gGz2zX0m8OvTqYCQrVfS0k7b1d5yq3mW2oZ8nJ4cHgLxE6uPaBtK9iDsRwNCw%253D%253D";

/** The secret of a participation link. */
const LINK_SECRET = "7Qm1cJ0b5Yx3u9vK2sPzW8dR4tLhGfEaXoNiBqUjMyk";

/** The same with every random part replaced, so that each run records the same examples. */
function normalised(examples: RecordedExamples, shown: ReadonlyMap<string, string>): RecordedExamples {
  const ids = new Map(shown);
  const usedIds = new Set<string>([...Object.values(EXAMPLE_IDS), SECOND_LOT, ...shown.values()]);
  let text = JSON.stringify(examples);
  for (const [from, to] of shown) if (!/^[0-9a-f]{32}$/.test(from)) text = text.replaceAll(from, to);
  text = text
    .replaceAll(/(?<=Signature=)[^&"]+/g, SIGNATURE)
    .replaceAll(/(?<=signature=)[\w-]+/g, LINK_SECRET)
    .replaceAll(/(?<=KeyID=)[0-9a-f]{8}/g, "a8968c46")
    .replaceAll(RANDOM_ID, (id) => {
      if (usedIds.has(id)) return id;
      const known = ids.get(id) ?? hash("md5", `example ${ids.size}`);
      ids.set(id, known);
      return known;
    });
  return JSON.parse(text);
}

/** Converts bodies to the names of a version, with the code that writes responses. */
export const translatorOf =
  (newest: Dialect, oldest: Dialect, dialect: Dialect) =>
  (path: string, shape: ShapeName, fields: object): unknown => {
    const spoken = path.includes("/bidders") ? oldest : dialect;
    if (spoken === newest) return fields;
    const { fields: read } = newest.readNew<object>(shape, fields);
    const written = Object.entries(JSON.parse(spoken.write(shape, read, "")));
    return Object.fromEntries(written.filter(([name]) => !spoken.shapes[shape]![name]!.readOnly));
  };
