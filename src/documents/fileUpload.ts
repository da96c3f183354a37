import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import type { FileRecord, Files } from "../files/files.ts";
import {
  BAD_UPLOAD,
  type HttpResponse,
  MISSING_FILE,
  PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE,
} from "../http/responses.ts";
import { type FormFields, type FormFile, readUpload, type UploadProblem } from "./multipart.ts";

/** The one way in for files, whether they come to a document or to the document service. */

/** What receiving a file needs: where it goes, and how large it may be. */
export type ReceivingPorts = {
  readonly files: Pick<Files, "receive" | "discard">;
  readonly config: { readonly limits: Pick<Config["limits"], "fileBytesMax"> };
};

type Admission<Who> = { readonly refused: HttpResponse } | { readonly who: Who };

export type FileUploadSettings<Who> = {
  readonly key: string;
  /** Asked when the file begins: whoever may not upload is told before a byte of it is taken. */
  readonly admit: (fields: FormFields) => Promise<Admission<Who>>;
  /** What is said of a form that cannot be read, if not that. */
  readonly malformedResponse?: HttpResponse;
};

export type FileUploadResult<Who> =
  | { readonly refused: HttpResponse }
  | { readonly who: Who; readonly upload: FormFile; readonly record: FileRecord };

/** What a form may weigh beside its file. */
export const FORM_BYTES_MAX = 64 * 1024;

export const mediaTypeOf = (header: string | undefined): string =>
  (header ?? "").split(";", 1)[0]!.trim().toLowerCase();

const FORM_TYPE = "multipart/form-data";
export const FORM_REQUIRED = UNSUPPORTED_MEDIA_TYPE(FORM_TYPE);
export const isForm = ({ headers }: IncomingMessage): boolean => mediaTypeOf(headers["content-type"]) === FORM_TYPE;

/** What the headers of a form tell already. */
export function checkFormHeaders(
  { headers }: IncomingMessage,
  { config }: Pick<ReceivingPorts, "config">,
): HttpResponse | undefined {
  const { fileBytesMax } = config.limits;
  const type = headers["content-type"];
  if (Number(headers["content-length"] ?? 0) > fileBytesMax + FORM_BYTES_MAX)
    return PAYLOAD_TOO_LARGE("file", fileBytesMax);
  return /;\s*boundary=/i.test(type!) ? undefined : UPLOAD_ERRORS["no boundary"];
}

/** A file that was refused leaves nothing behind; one that was received waits for what its caller makes of it. */
export async function receiveFile<Who>(
  { files, config }: ReceivingPorts,
  request: IncomingMessage,
  { key, admit, malformedResponse }: FileUploadSettings<Who>,
): Promise<FileUploadResult<Who>> {
  const { fileBytesMax } = config.limits;
  const result = await readUpload(request.headers, request, async (_upload, content, fields) => {
    const admission = await admit(fields);
    if ("refused" in admission) return admission;
    return { who: admission.who, record: await files.receive(key, content, fileBytesMax) };
  });
  const { taken: consumed } = result;
  if (consumed && "refused" in consumed) return consumed;
  if (consumed?.record === "too large") return { refused: PAYLOAD_TOO_LARGE("file", fileBytesMax) };
  if (result.ok) {
    const { who, record } = result.taken as { who: Who; record: FileRecord };
    return { who, upload: result.upload, record };
  }
  if (consumed) await files.discard(key);
  return { refused: malformedResponse ?? UPLOAD_ERRORS[result.problem] };
}

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
