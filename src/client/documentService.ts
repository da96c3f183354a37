import { type Calls, type OperationResponse, toApiResponse } from "./calls.ts";
import { type ClientSettings, type RequestOptions, sendForBody, sendRequest, type WriteOptions } from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import { type FileSource, type UploadOptions, uploadRequest } from "./upload.ts";

/** A registered file: `upload_url` is where to send it, and `data` is what `documents.register` takes. */
export type RegisteredFile = OperationResponse<SiteOperations, "POST /register">;

/** An uploaded file. Pass its `data` to `documents.register` to create a document from it. */
export type StoredFile = OperationResponse<SiteOperations, "POST /upload" | "POST /upload/{key}">;

/**
 * The document service takes files before their documents exist, for example for the documents of a new bid.
 *
 * @example
 * const { data } = await client.documentService.upload(file, { name: "offer.pdf" });
 * await client.documents.register({ tender: id }, data);
 */
export type DocumentService = {
  /**
   * Registers a file by its hash (`"md5:..."`) ahead of its upload. Anyone who has the `upload_url` of the response
   * can then upload the file, without a key.
   */
  readonly register: (hash: string, options?: WriteOptions) => Promise<RegisteredFile>;
  /**
   * Uploads a file; pass `uploadUrl` if it was registered before. The `get_url` of the response expires after a few
   * minutes.
   */
  readonly upload: (
    file: FileSource,
    options?: UploadOptions & { readonly uploadUrl?: string | undefined },
  ) => Promise<StoredFile>;
  /** Downloads a file from its `get_url`. Returns the response of `fetch`; its body is not read yet. */
  readonly get: (getUrl: string, options?: RequestOptions) => Promise<Response>;
};

/** The methods on `client.documentService`. */
export const openDocumentService = (settings: ClientSettings, { write }: Calls<SiteOperations>): DocumentService => ({
  register: (hash, options) => write("POST /register", {}, { hash }, options),
  upload: async (file, { uploadUrl = "/upload", ...options } = {}) => {
    const request = uploadRequest(settings, { method: "POST", path: uploadUrl }, file, options);
    // The client does not validate what the registry sends.
    return toApiResponse(await sendRequest(settings, request)) as StoredFile;
  },
  get: (path, options = {}) =>
    sendForBody(settings, {
      method: "GET",
      path,
      options: { ...options, headers: { Accept: "*/*", ...options.headers } },
    }),
});
