/** An OpenAPI description, as far as the reference reads it. */

export type SchemaObject = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: SchemaObject;
  readonly anyOf?: readonly SchemaObject[];
  /** Objects of which exactly one is sent. */
  readonly oneOf?: readonly SchemaObject[];
  readonly properties?: { readonly [name: string]: SchemaObject };
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly description?: string;
};

export type ParameterObject = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: SchemaObject;
};

type ContentObject = { readonly [type: string]: { readonly schema?: SchemaObject } };
export type ResponseObject = {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: ContentObject;
};

export type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly ParameterObject[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: ContentObject; readonly description?: string };
  readonly responses: { readonly [status: string]: ResponseObject };
};

type PathItemObject = { readonly parameters?: readonly ParameterObject[]; readonly [method: string]: unknown };

export type OpenApiDocument = {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: { readonly [path: string]: PathItemObject };
  readonly components: {
    readonly schemas: { readonly [name: string]: SchemaObject };
    readonly parameters: { readonly [name: string]: ParameterObject };
    readonly responses: { readonly [name: string]: ResponseObject };
  };
};

/** One operation with everything that is said of it in one place. */
export type DocumentedOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly ParameterObject[];
  readonly needsKey: boolean;
  readonly json?: SchemaObject;
  /** What must be sent. */
  readonly requirements?: string;
  readonly takesFile: boolean;
  /** It goes on for as long as somebody listens. */
  readonly isStream: boolean;
  readonly responses: readonly { readonly status: string; readonly what: string; readonly schema?: SchemaObject }[];
  readonly errorStatuses: readonly string[];
};

const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

export function documentedOperations(description: OpenApiDocument): readonly DocumentedOperation[] {
  const { components } = description;
  const resolveParameter = (parameter: ParameterObject): ParameterObject =>
    parameter.$ref ? components.parameters[refName(parameter.$ref)]! : parameter;
  return Object.entries(description.paths).flatMap(([path, pathItem]) =>
    METHODS.filter((method) => pathItem[method]).map((method): DocumentedOperation => {
      const operation = pathItem[method] as OperationObject;
      const parameters = [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])].map(resolveParameter);
      const content = operation.requestBody?.content ?? {};
      const responses = Object.entries(operation.responses);
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        parameters,
        needsKey: operation.security !== undefined,
        json: content[JSON_TYPE]?.schema,
        requirements: operation.requestBody?.description,
        takesFile: "multipart/form-data" in content,
        isStream: responses.some(([, { content: responseContent = {} }]) => "text/event-stream" in responseContent),
        responses: responses
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { description: what = "", content }]) => ({ status, what, schema: jsonSchemaOf(content) })),
        errorStatuses: responses.map(([status]) => status).filter((status) => /^[45]/.test(status)),
      };
    }),
  );
}

const jsonSchemaOf = (content: ContentObject | undefined): SchemaObject | undefined => content?.[JSON_TYPE]?.schema;

const SUBJECT_TITLES: { readonly [segment: string]: string } = {
  tenders: "Tenders",
  credentials: "Tenders",
  chronograph: "Tenders",
  health: "The service",
  spore: "The service",
  documents: "Documents of a tender",
  auction: "Auction",
};

/** What an operation is about: the collection below the tender, or the first word of its path. */
export function subjectOf({ path }: DocumentedOperation): string {
  const words = path.split("/").filter((word) => word !== "" && !word.startsWith("{"));
  const word = words[0] === "tenders" ? (words[1] ?? "tenders") : words[0]!;
  return SUBJECT_TITLES[word] ?? word[0]!.toUpperCase() + word.slice(1);
}

export function groupBySubject(
  operations: readonly DocumentedOperation[],
): ReadonlyMap<string, readonly DocumentedOperation[]> {
  const service = "The service";
  const groups = Map.groupBy(operations, subjectOf);
  const serviceOperations = groups.get(service);
  if (serviceOperations && groups.delete(service)) groups.set(service, serviceOperations);
  return groups;
}
