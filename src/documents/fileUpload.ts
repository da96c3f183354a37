import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import type { FileRecord, Files } from "../files/files.ts";
import { BAD_UPLOAD, MISSING_FILE, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE } from "../http/errorResponses.ts";
import type { HttpResponse } from "../http/responses.ts";
import { type FormFields, type FormFile, readUpload, type UploadProblem } from "./multipart.ts";

/** Receives files of forms, for documents and for the document service. */

/** The ports for receiving a file. */
export type ReceivingPorts = {
  readonly files: Pick<Files, "receive" | "discard">;
  readonly config: { readonly limits: Pick<Config["limits"], "fileBytesMax"> };
};

type Admission<Uploader> = { readonly refused: HttpResponse } | { readonly uploader: Uploader };

export type FileUploadSettings<Uploader> = {
  /** The key under which the file is stored. */
  readonly key: string;
  /** Called when the file starts, so that an upload that is not allowed is refused before any of it is stored. */
  readonly admit: (fields: FormFields) => Promise<Admission<Uploader>>;
  /** Replaces the error response to a malformed form. */
  readonly malformedResponse?: HttpResponse;
};

/** `uploader` is what `admit` returned. */
export type FileUploadResult<Uploader> =
  | { readonly refused: HttpResponse }
  | { readonly uploader: Uploader; readonly upload: FormFile; readonly record: FileRecord };

/** The maximum size of a form without its file. */
export const FORM_BYTES_MAX = 64 * 1024;

/** A Content-Type without its parameters, in lower case. */
export function mediaTypeOf(header: string | undefined): string {
  const [type = ""] = (header ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

const FORM_TYPE = "multipart/form-data";
export const FORM_REQUIRED = UNSUPPORTED_MEDIA_TYPE(FORM_TYPE);
export const isForm = ({ headers }: IncomingMessage): boolean => mediaTypeOf(headers["content-type"]) === FORM_TYPE;

/** The error response if the headers already show that the form is too large or has no boundary. */
export function checkFormHeaders(
  { headers }: IncomingMessage,
  { config }: Pick<ReceivingPorts, "config">,
): HttpResponse | undefined {
  const { fileBytesMax } = config.limits;
  if (Number(headers["content-length"] ?? 0) > fileBytesMax + FORM_BYTES_MAX)
    return PAYLOAD_TOO_LARGE("file", fileBytesMax);
  return /;\s*boundary=/i.test(headers["content-type"] ?? "") ? undefined : UPLOAD_ERRORS["no boundary"];
}

/** Receives the file of a form and stores it. The caller must keep or discard it; after a refusal nothing is stored. */
export async function receiveFile<Uploader>(
  { files, config }: ReceivingPorts,
  request: IncomingMessage,
  { key, admit, malformedResponse }: FileUploadSettings<Uploader>,
): Promise<FileUploadResult<Uploader>> {
  const { fileBytesMax } = config.limits;
  const result = await readUpload<FileReceipt<Uploader>>(request.headers, request, async (_upload, content, fields) => {
    const admission = await admit(fields);
    if ("refused" in admission) return admission;
    const record = await files.receive(key, content, fileBytesMax);
    if (record === "too large") return { refused: PAYLOAD_TOO_LARGE("file", fileBytesMax) };
    return { uploader: admission.uploader, record };
  });
  const { value } = result;
  if (value && "refused" in value) return value;
  if (result.ok && value) return { uploader: value.uploader, upload: result.upload, record: value.record };
  if (value) await files.discard(key);
  return { refused: malformedResponse ?? UPLOAD_ERRORS[result.ok ? "no file" : result.problem] };
}

type FileReceipt<Uploader> =
  | { readonly refused: HttpResponse }
  | { readonly uploader: Uploader; readonly record: FileRecord };

const UPLOAD_ERRORS: { readonly [problem in UploadProblem]: HttpResponse } = {
  "no boundary": BAD_UPLOAD("data", "could not decode params: the multipart boundary is missing", "form-malformed"),
  malformed: BAD_UPLOAD(
    "data",
    "could not decode params: the multipart body is cut off or malformed",
    "form-malformed",
  ),
  "no file": MISSING_FILE,
  "two files": BAD_UPLOAD("file", "Please provide no more than 1 item.", "one-file-only"),
};
