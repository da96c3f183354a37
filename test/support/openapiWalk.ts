// Walks an OpenAPI document and yields every part that has a description or an example, with its location.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

export type MediaType = {
  readonly schema?: Schema;
  readonly examples?: { readonly [name: string]: { readonly summary?: string; readonly value: unknown } };
};
type Content = { readonly [type: string]: MediaType };

export type Documented = {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
};

export type Response = {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: { readonly [name: string]: Documented };
  readonly content?: Content;
};

export type Operation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Documented[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: Response };
};

export type ApiDocument = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly parameters?: { readonly [name: string]: Documented };
    readonly headers: { readonly [name: string]: Documented };
    readonly responses: { readonly [name: string]: Response };
  };
};

export type LocatedPart<Part> = { readonly at: string; readonly part: Part };

const METHODS = ["get", "post", "put", "patch", "delete"];

export const operationsOf = ({ paths }: ApiDocument): readonly LocatedPart<Operation>[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      at: `${method.toUpperCase()} ${path}`,
      part: item[method] as Operation,
    })),
  );

/** A property of an object schema, wherever in the document the schema stands. */
export type Property = LocatedPart<Schema> & {
  /** It is the payload of a request or a response, whose example is that of the whole body. */
  readonly isPayload: boolean;
};

export function propertiesIn(schema: Schema, at: string, isBody = false): readonly Property[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    { at: `${at}.${name}`, part, isPayload: isBody && name === "data" },
    ...propertiesIn(part, `${at}.${name}`),
  ]);
  const alternatives = [schema.anyOf ?? [], schema.oneOf ?? []].flat();
  return [
    ...inside,
    ...(schema.items ? propertiesIn(schema.items, at) : []),
    ...alternatives.flatMap((part) => propertiesIn(part, at, isBody)),
  ];
}

/** The bodies of requests and responses, each with its media type. */
export function bodiesOf(document: ApiDocument): readonly (LocatedPart<MediaType> & { readonly type: string })[] {
  const contents = operationsOf(document).flatMap(({ at, part: { requestBody, responses } }) => [
    ...Object.entries(requestBody?.content ?? {}).map(([type, part]) => ({ at: `${at} request`, type, part })),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, part]) => ({ at: `${at} ${status}`, type, part })),
    ),
  ]);
  const shared = Object.entries(document.components.responses).flatMap(([name, { content = {} }]) =>
    Object.entries(content).map(([type, part]) => ({ at: `response ${name}`, type, part })),
  );
  return [...contents, ...shared];
}

export const allProperties = (document: ApiDocument): readonly Property[] => [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => propertiesIn(schema, name)),
  ...bodiesOf(document).flatMap(({ at, part: { schema = {} } }) => propertiesIn(schema, at, true)),
];

/** Parameters and headers. */
export function allParameters(document: ApiDocument): readonly LocatedPart<Documented>[] {
  const { parameters = {}, headers, responses } = document.components;
  const own = Object.entries(document.paths).flatMap(([path, item]) => {
    const operations = METHODS.flatMap((method) => (item[method] as Operation | undefined) ?? []);
    const listed = [
      ...((item.parameters as readonly Documented[]) ?? []),
      ...operations.flatMap((operation) => operation.parameters ?? []),
    ];
    return listed.map((part) => ({ at: `${path} ${part.name}`, part }));
  });
  const sent = [
    ...operationsOf(document).flatMap(({ part }) => Object.values(part.responses)),
    ...Object.values(responses),
  ];
  return [
    ...own,
    ...Object.entries({ ...parameters, ...headers }).map(([at, part]) => ({ at, part })),
    ...sent.flatMap((response) => Object.entries(response.headers ?? {}).map(([at, part]) => ({ at, part }))),
  ].filter(({ part }) => part.$ref === undefined);
}
