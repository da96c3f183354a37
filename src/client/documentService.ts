import { type Found, toldBy } from "./calls.ts";
import { type Asking, ask, askForBody, type Settings, type Writing } from "./requests.ts";
import { type Source, type Uploading, uploadRequest } from "./uploading.ts";

/** A file that is, or will be, with the document service; `documents.register` makes a document of it. */
export type StoredFile = {
  /** Vouches for the file. */
  readonly url: string;
  /** `md5:` and 32 hex digits. */
  readonly hash: string;
  readonly format?: string | undefined;
  readonly title?: string | undefined;
};

/** The document service: files come here ahead of the documents that they become. */
export type DocumentService = {
  /** Announces a file by its hash, `md5:...`; it is then sent to `upload_url`, by whoever has that address. */
  readonly register: (hash: string, options?: Writing) => Promise<Found<StoredFile> & { readonly upload_url: string }>;
  /** Sends a file; to the `upload_url` of its registration, if there is one. `get_url` is good for minutes. */
  readonly upload: (
    file: Source,
    options?: Uploading & { readonly uploadUrl?: string | undefined },
  ) => Promise<Found<StoredFile> & { readonly get_url: string }>;
  /** The file itself, from its `get_url`. */
  readonly get: (getUrl: string, options?: Asking) => Promise<Response>;
};

export const openDocumentService = (settings: Settings): DocumentService => ({
  register: async (hash, options) =>
    toldBy(await ask(settings, { method: "POST", path: "/register", json: { data: { hash } }, options })) as never,
  upload: async (file, { uploadUrl = "/upload", ...options } = {}) => {
    const request = uploadRequest(settings, { method: "POST", path: uploadUrl }, file, options);
    return toldBy(await ask(settings, request)) as never;
  },
  get: (path, options = {}) =>
    askForBody(settings, {
      method: "GET",
      path,
      options: { ...options, headers: { Accept: "*/*", ...options.headers } },
    }),
});
