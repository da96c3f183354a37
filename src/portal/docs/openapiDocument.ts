import { required } from "../../base/required.ts";

/** An OpenAPI 3.1 document, as far as the reference reads it. */

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
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
};

export type ParameterObject = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: SchemaObject;
  readonly example?: unknown;
};

type MediaTypeObject = {
  readonly schema?: SchemaObject;
  readonly example?: unknown;
  readonly examples?: { readonly [name: string]: { readonly summary?: string; readonly value?: unknown } };
};
type ContentObject = { readonly [type: string]: MediaTypeObject };
export type ResponseObject = {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: ContentObject;
};

export type OperationObject = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ParameterObject[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: ContentObject; readonly description?: string };
  readonly responses: { readonly [status: string]: ResponseObject };
};

type PathItemObject = { readonly parameters?: readonly ParameterObject[] } & {
  readonly [method in (typeof METHODS)[number]]?: OperationObject;
};

export type OpenApiDocument = {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: { readonly [path: string]: PathItemObject };
  readonly components: {
    readonly schemas: { readonly [name: string]: SchemaObject };
    readonly parameters: { readonly [name: string]: ParameterObject };
    readonly responses: { readonly [name: string]: ResponseObject };
  };
};

export type DocumentedResponse = {
  readonly status: string;
  readonly description: string;
  readonly schema?: SchemaObject;
  /** The first example of the document; absent where it has none. */
  readonly example?: unknown;
};

/** One operation with its parameters, bodies and responses resolved. */
export type DocumentedOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag?: string;
  readonly parameters: readonly ParameterObject[];
  readonly needsKey: boolean;
  readonly json?: SchemaObject;
  /** The first example of the JSON body in the document. */
  readonly jsonExample?: unknown;
  /** What must be sent. */
  readonly requirements?: string;
  readonly takesFile: boolean;
  /** The response does not end until the client closes the connection. */
  readonly isStream: boolean;
  readonly responses: readonly DocumentedResponse[];
  readonly errorStatuses: readonly string[];
};

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** What an object refers to, or the object itself. */
const resolved = <Component extends { readonly $ref?: string }>(
  component: Component,
  components: { readonly [name: string]: Component },
): Component => (component.$ref ? required(components[refName(component.$ref)], component.$ref) : component);

export type Schemas = OpenApiDocument["components"]["schemas"];

/** A schema of the document. */
export const schemaNamed = (schemas: Schemas, name: string): SchemaObject => required(schemas[name], `schema ${name}`);

/** The example of a property or a schema, by either keyword of JSON Schema. */
export const schemaExample = ({ example, examples }: SchemaObject): unknown => example ?? examples?.[0];

function mediaExample({ example, examples = {} }: MediaTypeObject = {}): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

export function documentedOperations(description: OpenApiDocument): readonly DocumentedOperation[] {
  return Object.entries(description.paths).flatMap(([path, pathItem]) =>
    METHODS.flatMap((method) => {
      const operation = pathItem[method];
      return operation ? [documentedOperation(description, path, method, withParametersOf(pathItem, operation))] : [];
    }),
  );
}

const withParametersOf = ({ parameters = [] }: PathItemObject, operation: OperationObject): OperationObject => ({
  ...operation,
  parameters: [...parameters, ...(operation.parameters ?? [])],
});

function documentedOperation(
  { components }: OpenApiDocument,
  path: string,
  method: string,
  operation: OperationObject,
): DocumentedOperation {
  const { operationId, summary, description, tags = [], requestBody } = operation;
  const resolveParameter = (parameter: ParameterObject): ParameterObject => resolved(parameter, components.parameters);
  const content = requestBody?.content ?? {};
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved(response, components.responses)] as const,
  );
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    tag: tags[0],
    parameters: (operation.parameters ?? []).map(resolveParameter),
    needsKey: operation.security !== undefined,
    json: content[JSON_TYPE]?.schema,
    jsonExample: mediaExample(content[JSON_TYPE]),
    requirements: requestBody?.description,
    takesFile: "multipart/form-data" in content,
    isStream: responses.some(([, response]) => STREAM_TYPE in (response.content ?? {})),
    responses: responses.filter(([status]) => /^[23]/.test(status)).map(documentedResponse),
    errorStatuses: responses.map(([status]) => status).filter((status) => /^[45]/.test(status)),
  };
}

const documentedResponse = ([status, response]: readonly [string, ResponseObject]): DocumentedResponse => ({
  status,
  description: response.description ?? "",
  schema: response.content?.[JSON_TYPE]?.schema,
  example: mediaExample(response.content?.[JSON_TYPE] ?? response.content?.[STREAM_TYPE]),
});
