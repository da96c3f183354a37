import { type Calls, type OperationResponse, toApiResponse } from "./calls.ts";
import { type ClientSettings, type RequestOptions, sendForBody, sendRequest, type WriteOptions } from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import { type FileSource, type UploadOptions, uploadRequest } from "./upload.ts";

/** A file that will be with the document service: where it is to be sent, and what vouches for it. */
export type RegisteredFile = OperationResponse<SiteOperations, "POST /register">;

/** A file that is with the document service; `documents.register` makes a document of its `data`. */
export type StoredFile = OperationResponse<SiteOperations, "POST /upload" | "POST /upload/{key}">;

/** The document service: files come here ahead of the documents that they become. */
export type DocumentService = {
  /** Announces a file by its hash, `md5:...`; it is then sent to `upload_url`, by whoever has that address. */
  readonly register: (hash: string, options?: WriteOptions) => Promise<RegisteredFile>;
  /** Sends a file; to the `upload_url` of its registration, if there is one. `get_url` is good for minutes. */
  readonly upload: (
    file: FileSource,
    options?: UploadOptions & { readonly uploadUrl?: string | undefined },
  ) => Promise<StoredFile>;
  /** The file itself, from its `get_url`. */
  readonly get: (getUrl: string, options?: RequestOptions) => Promise<Response>;
};

export const openDocumentService = (settings: ClientSettings, { write }: Calls<SiteOperations>): DocumentService => ({
  register: (hash, options) => write("POST /register", {}, { hash }, options),
  upload: async (file, { uploadUrl = "/upload", ...options } = {}) => {
    const request = uploadRequest(settings, { method: "POST", path: uploadUrl }, file, options);
    return toApiResponse(await sendRequest(settings, request)) as StoredFile;
  },
  get: (path, options = {}) =>
    sendForBody(settings, {
      method: "GET",
      path,
      options: { ...options, headers: { Accept: "*/*", ...options.headers } },
    }),
});
