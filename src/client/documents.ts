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

/** Whose documents are meant: the tender's, or those of one thing on it; a complaint may be about an award. */
export type DocumentParent = {
  readonly tender: string;
  readonly bid?: string | undefined;
  readonly award?: string | undefined;
  readonly contract?: string | undefined;
  readonly complaint?: string | undefined;
  readonly cancellation?: string | undefined;
};

/** Documents of tenders and of what hangs on them. */
export type Documents = {
  /** The documents, each in its latest version; with `all` every version. */
  readonly list: <
    Options extends ReadOptions & { readonly all?: boolean | undefined } = RequestOptions & {
      readonly all?: boolean | undefined;
    },
  >(
    parent: DocumentParent,
    options?: Options,
  ) => Promise<ReadResponse<readonly Document[], Options>>;
  /** A document with its previous versions. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    parent: DocumentParent,
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Document, Options>>;
  /** Sends a file, which becomes a document. */
  readonly upload: (
    parent: DocumentParent,
    file: FileSource,
    options?: UploadOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Sends a file, which becomes the new version of a document. */
  readonly replace: (
    parent: DocumentParent,
    id: string,
    file: FileSource,
    options?: UploadOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Changes what is said about a document. */
  readonly patch: (
    parent: DocumentParent,
    id: string,
    changes: Patch<DocumentSent>,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Makes a document of a file that is with the document service. */
  readonly register: (
    parent: DocumentParent,
    registration: RegistrationSent,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Document>>;
  /** Makes a new version of a document of a file that is with the document service. */
  readonly registerVersion: (
    parent: DocumentParent,
    id: string,
    registration: RegistrationSent,
    options?: WriteOptions,
  ) => Promise<ApiResponse<Document>>;
  /** The file itself, as the answer of `fetch`: `.body` is a stream, `.blob()`, `.text()` and so on take it whole. */
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

/** The operations on the documents of any holder are typed as those of a tender's; their path is filled in already. */
type ListOperation<Method extends string> = `${Method} /tenders/{tender_id}/documents`;
type ItemOperation<Method extends string> = `${Method} /tenders/{tender_id}/documents/{document_id}`;
const NO_PARAMS = {} as { readonly tender_id: string; readonly document_id: string };

function documentsPath(parent: DocumentParent): string {
  const segments = PARENT_SEGMENTS.map(([name, field]) =>
    parent[field] === undefined ? "" : `/${name}/${pathSegment(parent[field], field)}`,
  );
  return `/tenders/${pathSegment(parent.tender, "tender")}${segments.join("")}/documents`;
}

const documentPath = (parent: DocumentParent, id: string): string =>
  `${documentsPath(parent)}/${pathSegment(id, "document")}`;

export function openDocuments(settings: ClientSettings, { read, write }: Calls): Documents {
  const sendFile = async (method: string, path: string, file: FileSource, options: UploadOptions | undefined) => {
    const request = { method, path: apiPath(settings, path), token: tokenFor(settings, method, path) };
    return toApiResponse(
      await sendRequest(settings, uploadRequest(settings, request, file, options)),
    ) as ApiResponse<Document>;
  };
  return {
    list: (parent, options) =>
      read(`GET ${documentsPath(parent)}` as ListOperation<"GET">, NO_PARAMS, options, { all: options?.all }),
    get: (parent, id, options) => read(`GET ${documentPath(parent, id)}` as ItemOperation<"GET">, NO_PARAMS, options),
    upload: (parent, file, options) => sendFile("POST", documentsPath(parent), file, options),
    replace: (parent, id, file, options) => sendFile("PUT", documentPath(parent, id), file, options),
    patch: (parent, id, changes, options) =>
      write(`PATCH ${documentPath(parent, id)}` as ItemOperation<"PATCH">, NO_PARAMS, changes, options),
    register: (parent, registration, options) =>
      write(`POST ${documentsPath(parent)}` as ListOperation<"POST">, NO_PARAMS, registration, options),
    registerVersion: (parent, id, registration, options) =>
      write(`PUT ${documentPath(parent, id)}` as ItemOperation<"PUT">, NO_PARAMS, registration, options),
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

/** A file comes in whatever type it has. */
const acceptAnyType = (options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { Accept: "*/*", ...options.headers },
});
