import { required } from "../../../base/required.ts";
import {
  type DocumentedOperation,
  documentedOperations,
  type OpenApiDocument,
  type ParameterObject,
  refName,
  type SchemaObject,
} from "../openapiDocument.ts";

/** Operations that belong together: one page of the reference. */
export type Resource = {
  readonly title: string;
  /** The last part of the page's address. */
  readonly slug: string;
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
};

/** The OpenAPI document of one version, divided into pages. */
export type Reference = {
  /** `2.5`, or `site` for what all versions share. */
  readonly segment: string;
  /** The address of the overview. */
  readonly path: string;
  readonly document: OpenApiDocument;
  readonly resources: readonly Resource[];
  /** Parameters of many operations, by name: the overview describes them once. */
  readonly commonParameters: ReadonlyMap<string, ParameterObject>;
  readonly pathOfOperation: ReadonlyMap<string, string>;
  /** The address of the page that has the fields of a type. */
  readonly pathOfType: ReadonlyMap<string, string>;
};

/** The page of the types that several resources share. */
export const TYPES_SLUG = "types";

export const resourcePath = (overview: string, slug: string): string => `${overview}/${slug}`;

export function divideIntoResources(document: OpenApiDocument, segment: string): Reference {
  const path = `/docs/api/${segment}`;
  const resources = groupByResource(document);
  return {
    segment,
    path,
    document,
    resources,
    commonParameters: commonParametersOf(resources),
    pathOfOperation: new Map(
      resources.flatMap(({ slug, operations }) => operations.map(({ id }) => [id, resourcePath(path, slug)])),
    ),
    pathOfType: pathsOfTypes(document, resources, path),
  };
}

/** Names for documents without tags, by the first word below the tender. */
const UNTAGGED_TITLES: { readonly [word: string]: string } = {
  tenders: "Tenders",
  stream: "Tenders",
  bidders: "Bids",
  credentials: "Credentials",
  extract_credentials: "Credentials",
  chronograph: "Scheduling",
  health: "Service",
  spore: "Service",
  sandbox: "Test clocks",
  register: "Document service",
  upload: "Document service",
  get: "Document service",
};

const wordsOf = (path: string): readonly string[] =>
  path.split("/").filter((word) => word !== "" && !word.startsWith("{"));

function titleByPath(path: string): string {
  const [first, second = first] = wordsOf(path);
  const word = required(first === "tenders" ? second : first, `a word in ${path}`);
  return UNTAGGED_TITLES[word] ?? word.charAt(0).toUpperCase() + word.slice(1);
}

const DOCUMENTS_BELOW = /\/documents(\/\{\w+\})?$/;

/** The title of an operation's resource. Documents of a bid are described with the bids, not with the tender's documents. */
function titleOf({ path, tag }: DocumentedOperation, tagOfPath: ReadonlyMap<string, string | undefined>): string {
  const owner = path.replace(DOCUMENTS_BELOW, "");
  const isNested = owner !== path && owner !== "/tenders/{tender_id}";
  return (isNested ? tagOfPath.get(owner) : tag) ?? titleByPath(path);
}

const slugOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, "-");

function groupByResource(document: OpenApiDocument): readonly Resource[] {
  const operations = documentedOperations(document);
  const tagOfPath = new Map(operations.map(({ path, tag }) => [path, tag]));
  const groups = Map.groupBy(operations, (operation) => titleOf(operation, tagOfPath));
  const tags = document.tags ?? [];
  // Without tags the order of the document counts, with the service itself at the end.
  const order = [
    ...tags.map(({ name }) => name),
    ...[...groups.keys()].filter((title) => title !== "Service"),
    "Service",
  ];
  return [...new Set(order)].flatMap((title) => {
    const members = groups.get(title);
    if (!members) return [];
    const description = tags.find(({ name }) => name === title)?.description ?? "";
    return withoutLongPages({ title, slug: slugOf(title), description, operations: members });
  });
}

/** A page with more operations is slow to open and hard to survey. */
const OPERATIONS_MAX = 12;

/** The documents of a resource with many operations get a page of their own. */
function withoutLongPages(resource: Resource): readonly Resource[] {
  const { title, slug, operations } = resource;
  const documents = operations.filter(({ path }) => DOCUMENTS_BELOW.test(path));
  if (operations.length <= OPERATIONS_MAX || documents.length === operations.length) return [resource];
  return [
    { ...resource, operations: operations.filter((operation) => !documents.includes(operation)) },
    {
      title: `${title}: documents`,
      slug: `${slug}-documents`,
      description: `The documents of ${title.toLowerCase()}.`,
      operations: documents,
    },
  ];
}

/** A parameter outside the path is common if operations of so many resources take it. */
const COMMON_RESOURCES_MIN = 3;

function commonParametersOf(resources: readonly Resource[]): ReadonlyMap<string, ParameterObject> {
  const uses = resources.flatMap(({ operations }) => [
    ...new Map(
      operations.flatMap(({ parameters }) => parameters.map((parameter) => [parameter.name, parameter])),
    ).values(),
  ]);
  const byName = Map.groupBy(
    uses.filter((parameter) => parameter.in !== "path"),
    ({ name }) => name,
  );
  const common = [...byName.values()].filter((found) => found.length >= COMMON_RESOURCES_MIN);
  return new Map(common.flatMap((found) => found.slice(0, 1)).map((parameter) => [parameter.name, parameter]));
}

/** The names of the types that a schema mentions, without looking into those types. */
export function mentionedTypes(schema: SchemaObject | undefined): readonly string[] {
  if (!schema) return [];
  const { $ref, items, anyOf = [], oneOf = [], properties = {} } = schema;
  return [
    ...($ref ? [refName($ref)] : []),
    ...[items, ...anyOf, ...oneOf, ...Object.values(properties)].flatMap(mentionedTypes),
  ];
}

const typesOfOperation = ({ json, responses }: DocumentedOperation): readonly string[] => [
  ...mentionedTypes(json),
  ...responses.flatMap(({ schema }) => mentionedTypes(schema)),
];

/**
 * A type is on the page of the resource that alone uses it. Of several resources, the one that it is named after has it
 * (`Bid`, `BidSent`, `NewBid`: the bids); types such as `Value` are on a page of their own.
 */
function pathsOfTypes(
  { components }: OpenApiDocument,
  resources: readonly Resource[],
  path: string,
): ReadonlyMap<string, string> {
  const users = new Map<string, Set<string>>();
  for (const { slug, operations } of resources) {
    const pending = [...new Set(operations.flatMap(typesOfOperation))];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const slugs = users.get(name) ?? new Set();
      if (slugs.has(slug)) continue;
      users.set(name, slugs.add(slug));
      pending.push(...mentionedTypes(components.schemas[name]));
    }
  }
  return new Map(
    Object.keys(components.schemas).map((name) => {
      const [user, ...otherUsers] = users.get(name) ?? [];
      const stem = name.replace(/^New/, "").replace(/(Sent|Oldest|Change)$/, "");
      const namesake = resources.find(({ slug }) => slug === `${stem.toLowerCase()}s` || slug === stem.toLowerCase());
      const home = namesake?.slug ?? (user !== undefined && otherUsers.length === 0 ? user : TYPES_SLUG);
      return [name, resourcePath(path, home)];
    }),
  );
}
