import { type Answer, type Calls, toldBy } from "./calls.ts";
import { type Asking, ask, askForBody, type Settings, type Writing } from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import { type Source, type Uploading, uploadRequest } from "./uploading.ts";

/** A file that will be with the document service: where it is to be sent, and what vouches for it. */
export type RegisteredFile = Answer<SiteOperations, "POST /register">;

/** A file that is with the document service; `documents.register` makes a document of its `data`. */
export type StoredFile = Answer<SiteOperations, "POST /upload" | "POST /upload/{key}">;

/** The document service: files come here ahead of the documents that they become. */
export type DocumentService = {
  /** Announces a file by its hash, `md5:...`; it is then sent to `upload_url`, by whoever has that address. */
  readonly register: (hash: string, options?: Writing) => Promise<RegisteredFile>;
  /** Sends a file; to the `upload_url` of its registration, if there is one. `get_url` is good for minutes. */
  readonly upload: (
    file: Source,
    options?: Uploading & { readonly uploadUrl?: string | undefined },
  ) => Promise<StoredFile>;
  /** The file itself, from its `get_url`. */
  readonly get: (getUrl: string, options?: Asking) => Promise<Response>;
};

export const openDocumentService = (settings: Settings, { write }: Calls<SiteOperations>): DocumentService => ({
  register: (hash, options) => write("POST /register", {}, { hash }, options),
  upload: async (file, { uploadUrl = "/upload", ...options } = {}) => {
    const request = uploadRequest(settings, { method: "POST", path: uploadUrl }, file, options);
    return toldBy(await ask(settings, request)) as StoredFile;
  },
  get: (path, options = {}) =>
    askForBody(settings, {
      method: "GET",
      path,
      options: { ...options, headers: { Accept: "*/*", ...options.headers } },
    }),
});
