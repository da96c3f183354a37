/** An OpenAPI description, as far as the reference reads it. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  /** Objects of which exactly one is sent. */
  readonly oneOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly description?: string;
};

export type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
};

type Content = { readonly [type: string]: { readonly schema?: Schema } };
export type Response = { readonly $ref?: string; readonly description?: string; readonly content?: Content };

export type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Content; readonly description?: string };
  readonly responses: { readonly [status: string]: Response };
};

type PathItem = { readonly parameters?: readonly Parameter[]; readonly [method: string]: unknown };

export type Description = {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: { readonly [path: string]: PathItem };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly parameters: { readonly [name: string]: Parameter };
    readonly responses: { readonly [name: string]: Response };
  };
};

/** One operation with everything that is said of it in one place. */
export type OperationSeen = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly needsKey: boolean;
  readonly json?: Schema;
  /** What must be sent. */
  readonly needs?: string;
  readonly takesFile: boolean;
  /** It goes on for as long as somebody listens. */
  readonly isStream: boolean;
  readonly answers: readonly { readonly status: string; readonly what: string; readonly schema?: Schema }[];
  readonly refusals: readonly string[];
};

const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

export function operationsOf(description: Description): readonly OperationSeen[] {
  const { components } = description;
  const parameterOf = (one: Parameter): Parameter => (one.$ref ? components.parameters[nameOf(one.$ref)]! : one);
  return Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method): OperationSeen => {
      const operation = item[method] as Described;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(parameterOf);
      const content = operation.requestBody?.content ?? {};
      const answered = Object.entries(operation.responses);
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        parameters,
        needsKey: operation.security !== undefined,
        json: content[JSON_TYPE]?.schema,
        needs: operation.requestBody?.description,
        takesFile: "multipart/form-data" in content,
        isStream: answered.some(([, { content: told = {} }]) => "text/event-stream" in told),
        answers: answered
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { description: what = "", content }]) => ({ status, what, schema: schemaIn(content) })),
        refusals: answered.map(([status]) => status).filter((status) => /^[45]/.test(status)),
      };
    }),
  );
}

const schemaIn = (content: Content | undefined): Schema | undefined => content?.[JSON_TYPE]?.schema;

const TITLES: { readonly [segment: string]: string } = {
  tenders: "Tenders",
  credentials: "Tenders",
  chronograph: "Tenders",
  health: "The service",
  spore: "The service",
  documents: "Documents of a tender",
  auction: "Auction",
};

/** What an operation is about: the collection below the tender, or the first word of its path. */
export function subjectOf({ path }: OperationSeen): string {
  const words = path.split("/").filter((word) => word !== "" && !word.startsWith("{"));
  const word = words[0] === "tenders" ? (words[1] ?? "tenders") : words[0]!;
  return TITLES[word] ?? word[0]!.toUpperCase() + word.slice(1);
}

export function bySubject(operations: readonly OperationSeen[]): ReadonlyMap<string, readonly OperationSeen[]> {
  const service = "The service";
  const groups = Map.groupBy(operations, subjectOf);
  const last = groups.get(service);
  if (last && groups.delete(service)) groups.set(service, last);
  return groups;
}
