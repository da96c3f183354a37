import {
  type ApiResponse,
  apiPath,
  type Calls,
  pathSegment,
  type ReadResponse,
  toApiResponse,
  tokenFor,
} from "./calls.ts";
import {
  type ClientSettings,
  type ReadOptions,
  type RequestOptions,
  sendForBody,
  sendRequest,
  type WriteOptions,
} from "./requests.ts";
import type { Document, DocumentSent, Patch, RegistrationSent } from "./types.ts";
import { type FileSource, type UploadOptions, uploadRequest } from "./upload.ts";

/**
 * The resource that documents belong to, by its ids: a tender, or one resource of it. Documents of a complaint about
 * an award need `tender`, `award` and `complaint`.
 *
 * @example
 * await client.documents.list({ tender: tenderId, bid: bidId });
 */
export type DocumentParent = {
  /** The id of the tender; alone, it means the documents of the tender itself. */
  readonly tender: string;
  /** The id of a bid on the tender. */
  readonly bid?: string | undefined;
  /** The id of an award of the tender. */
  readonly award?: string | undefined;
  /** The id of a contract of the tender. */
  readonly contract?: string | undefined;
  /** The id of a complaint about the tender, or about `award` if that is given too. */
  readonly complaint?: string | undefined;
  /** The id of a cancellation of the tender. */
  readonly cancellation?: string | undefined;
};

/**
 * Documents of tenders, bids, awards, contracts, complaints and cancellations.
 *
 * @example
 * const { data } = await client.documents.upload({ tender: id }, file, { name: "terms.pdf" });
 * const response = await client.documents.download(data);
 */
export type Documents = {
  /** Lists the documents, each in its latest version; with `all: true`, every version. */
  readonly list: <
    Options extends ReadOptions & { readonly all?: boolean | undefined } = RequestOptions & {
      readonly all?: boolean | undefined;
    },
  >(
    parent: DocumentParent,
    options?: Options,
  ) => Promise<ReadResponse<readonly Document[], Options>>;
  /** Returns a document with its previous versions. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    parent: DocumentParent,
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Document, Options>>;
  /** Uploads a file as a new document. */
  readonly upload: (
    parent: DocumentParent,
    file: FileSource,
    options?: UploadOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Uploads a file as a new version of a document. */
  readonly replace: (
    parent: DocumentParent,
    id: string,
    file: FileSource,
    options?: UploadOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Changes the metadata of a document, for example its title. */
  readonly patch: (
    parent: DocumentParent,
    id: string,
    changes: Patch<DocumentSent>,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Creates a document from a file that was uploaded to the document service. */
  readonly register: (
    parent: DocumentParent,
    registration: RegistrationSent,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Creates a new version of a document from a file that was uploaded to the document service. */
  readonly registerVersion: (
    parent: DocumentParent,
    id: string,
    registration: RegistrationSent,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Document>>;
  /**
   * Downloads the file of a document, given the document or its `url`. Returns the response of `fetch`, whose body is
   * not read yet: use `.body` as a stream, or `.blob()`, `.text()` and so on. Throws a TypeError if the document has no
   * `url`.
   */
  readonly download: (
    document: { readonly url?: string | undefined } | string,
    options?: RequestOptions,
  ) => Promise<Response>;
};

const PARENT_SEGMENTS = [
  ["bids", "bid"],
  ["awards", "award"],
  ["contracts", "contract"],
  ["complaints", "complaint"],
  ["cancellations", "cancellation"],
] as const;

// The operations on documents have the same types for every parent. They are called by the name of the tender's
// operation, with a path that has its ids already and so needs no parameters.
type ListOperation<Method extends string> = `${Method} /tenders/{tender_id}/documents`;
type ItemOperation<Method extends string> = `${Method} /tenders/{tender_id}/documents/{document_id}`;
const listOperation = <Method extends string>(method: Method, parent: DocumentParent) =>
  `${method} ${documentsPath(parent)}` as ListOperation<Method>;
const itemOperation = <Method extends string>(method: Method, parent: DocumentParent, id: string) =>
  `${method} ${documentPath(parent, id)}` as ItemOperation<Method>;
const NO_PARAMS = {} as { readonly tender_id: string; readonly document_id: string };

function documentsPath(parent: DocumentParent): string {
  const segments = PARENT_SEGMENTS.map(([name, field]) =>
    parent[field] === undefined ? "" : `/${name}/${pathSegment(parent[field], field)}`,
  );
  return `/tenders/${pathSegment(parent.tender, "tender")}${segments.join("")}/documents`;
}

const documentPath = (parent: DocumentParent, id: string): string =>
  `${documentsPath(parent)}/${pathSegment(id, "document")}`;

/** The methods on `client.documents`. */
export function openDocuments(settings: ClientSettings, { read, write }: Calls): Documents {
  const sendFile = async (method: string, path: string, file: FileSource, options: UploadOptions | undefined) => {
    const request = { method, path: apiPath(settings, path), token: tokenFor(settings, method, path) };
    // The client does not validate what the registry sends.
    return toApiResponse(
      await sendRequest(settings, uploadRequest(settings, request, file, options)),
    ) as ApiResponse<Document>;
  };
  return {
    list: (parent, options) => read(listOperation("GET", parent), NO_PARAMS, options, { all: options?.all }),
    get: (parent, id, options) => read(itemOperation("GET", parent, id), NO_PARAMS, options),
    upload: (parent, file, options) => sendFile("POST", documentsPath(parent), file, options),
    replace: (parent, id, file, options) => sendFile("PUT", documentPath(parent, id), file, options),
    patch: (parent, id, changes, options) => write(itemOperation("PATCH", parent, id), NO_PARAMS, changes, options),
    register: (parent, registration, options) => write(listOperation("POST", parent), NO_PARAMS, registration, options),
    registerVersion: (parent, id, registration, options) =>
      write(itemOperation("PUT", parent, id), NO_PARAMS, registration, options),
    download: async (document, options) => {
      const path = typeof document === "string" ? document : document.url;
      if (!path) throw new TypeError("The document has no url");
      return sendForBody(settings, {
        method: "GET",
        path,
        token: tokenFor(settings, "GET", path),
        options: acceptAnyType(options),
      });
    },
  };
}

/** Replaces the `Accept: application/json` of other requests: a file has any media type. */
const acceptAnyType = (options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { Accept: "*/*", ...options.headers },
});
