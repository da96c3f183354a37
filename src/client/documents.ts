import { apiPath, type Calls, type Found, type Read, segmentOf, tokenFor, toldBy } from "./calls.ts";
import { type Asking, ask, askForBody, type Reading, type Settings, type Writing } from "./requests.ts";
import type { Document, DocumentSent, Patch, RegistrationSent } from "./types.ts";
import { type Source, type Uploading, uploadRequest } from "./uploading.ts";

/** Whose documents are meant: the tender's, or those of one thing on it; a complaint may be about an award. */
export type Holder = {
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
    Options extends Reading & { readonly all?: boolean | undefined } = Asking & { readonly all?: boolean | undefined },
  >(
    of: Holder,
    options?: Options,
  ) => Promise<Read<readonly Document[], Options>>;
  /** A document with its previous versions. */
  readonly get: <Options extends Reading = Asking>(
    of: Holder,
    id: string,
    options?: Options,
  ) => Promise<Read<Document, Options>>;
  /** Sends a file, which becomes a document. */
  readonly upload: (of: Holder, file: Source, options?: Uploading) => Promise<Found<Document>>;
  /** Sends a file, which becomes the new version of a document. */
  readonly replace: (of: Holder, id: string, file: Source, options?: Uploading) => Promise<Found<Document>>;
  /** Changes what is said about a document. */
  readonly patch: (of: Holder, id: string, changes: Patch<DocumentSent>, options?: Writing) => Promise<Found<Document>>;
  /** Makes a document of a file that is with the document service. */
  readonly register: (of: Holder, registration: RegistrationSent, options?: Writing) => Promise<Found<Document>>;
  /** Makes a new version of a document of a file that is with the document service. */
  readonly registerVersion: (
    of: Holder,
    id: string,
    registration: RegistrationSent,
    options?: Writing,
  ) => Promise<Found<Document>>;
  /** The file itself, as the answer of `fetch`: `.body` is a stream, `.blob()`, `.text()` and so on take it whole. */
  readonly download: (document: { readonly url?: string | undefined } | string, options?: Asking) => Promise<Response>;
};

const STEPS = [
  ["bids", "bid"],
  ["awards", "award"],
  ["contracts", "contract"],
  ["complaints", "complaint"],
  ["cancellations", "cancellation"],
] as const;

/** The operations on the documents of any holder are typed as those of a tender's; their path is filled in already. */
type OnList<Method extends string> = `${Method} /tenders/{tender_id}/documents`;
type OnOne<Method extends string> = `${Method} /tenders/{tender_id}/documents/{document_id}`;
const NO_PARAMS = {} as { readonly tender_id: string; readonly document_id: string };

function pathOf(of: Holder): string {
  const steps = STEPS.map(([name, step]) => (of[step] === undefined ? "" : `/${name}/${segmentOf(of[step], step)}`));
  return `/tenders/${segmentOf(of.tender, "tender")}${steps.join("")}/documents`;
}

const onePath = (of: Holder, id: string): string => `${pathOf(of)}/${segmentOf(id, "document")}`;

export function openDocuments(settings: Settings, { read, write }: Calls): Documents {
  const send = async (method: string, path: string, file: Source, options: Uploading | undefined) => {
    const request = { method, path: apiPath(settings, path), token: tokenFor(settings, method, path) };
    return toldBy(await ask(settings, uploadRequest(settings, request, file, options))) as Found<Document>;
  };
  return {
    list: (of, options) => read(`GET ${pathOf(of)}` as OnList<"GET">, NO_PARAMS, options, { all: options?.all }),
    get: (of, id, options) => read(`GET ${onePath(of, id)}` as OnOne<"GET">, NO_PARAMS, options),
    upload: (of, file, options) => send("POST", pathOf(of), file, options),
    replace: (of, id, file, options) => send("PUT", onePath(of, id), file, options),
    patch: (of, id, changes, options) =>
      write(`PATCH ${onePath(of, id)}` as OnOne<"PATCH">, NO_PARAMS, changes, options),
    register: (of, registration, options) =>
      write(`POST ${pathOf(of)}` as OnList<"POST">, NO_PARAMS, registration, options),
    registerVersion: (of, id, registration, options) =>
      write(`PUT ${onePath(of, id)}` as OnOne<"PUT">, NO_PARAMS, registration, options),
    download: async (document, options) => {
      const path = typeof document === "string" ? document : document.url;
      if (!path) throw new TypeError("The document has no url");
      return askForBody(settings, {
        method: "GET",
        path,
        token: tokenFor(settings, "GET", path),
        options: plain(options),
      });
    },
  };
}

/** A file comes in whatever type it has. */
const plain = (options: Asking = {}): Asking => ({ ...options, headers: { Accept: "*/*", ...options.headers } });
