import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { FileRecord, Files } from "../files/files.ts";
import { type Answer, BAD_UPLOAD, NO_FILE, TOO_LARGE, UNSUPPORTED } from "./answers.ts";
import { type Fields, readUpload, type Upload, type UploadProblem } from "./multipart.ts";

/** The one way in for files, whether they come to a document or to the document service. */

/** What receiving a file needs: where it goes, and how large it may be. */
export type ReceivingPorts = {
  readonly files: Pick<Files, "receive" | "discard">;
  readonly config: { readonly limits: Pick<Config["limits"], "fileBytesMax"> };
};

type Admitted<Who> = { readonly refused: Answer } | { readonly who: Who };

export type Receiving<Who> = {
  readonly key: string;
  /** Asked when the file begins: whoever may not upload is told before a byte of it is taken. */
  readonly admit: (fields: Fields) => Promise<Admitted<Who>>;
  /** What is said of a form that cannot be read, if not that. */
  readonly unreadable?: Answer;
};

export type Received<Who> =
  | { readonly refused: Answer }
  | { readonly who: Who; readonly upload: Upload; readonly record: FileRecord };

/** What a form may weigh beside its file. */
export const FORM_BYTES_MAX = 64 * 1024;

export const mediaTypeOf = (header: string | undefined): string =>
  (header ?? "").split(";", 1)[0]!.trim().toLowerCase();

const FORM_TYPE = "multipart/form-data";
export const NO_FORM = UNSUPPORTED(FORM_TYPE);
export const isForm = ({ headers }: IncomingMessage): boolean => mediaTypeOf(headers["content-type"]) === FORM_TYPE;

/** What the headers of a form tell already. */
export function refusedForm(
  { headers }: IncomingMessage,
  { config }: Pick<ReceivingPorts, "config">,
): Answer | undefined {
  const { fileBytesMax } = config.limits;
  const type = headers["content-type"];
  if (Number(headers["content-length"] ?? 0) > fileBytesMax + FORM_BYTES_MAX) return TOO_LARGE("file", fileBytesMax);
  return /;\s*boundary=/i.test(type!) ? undefined : UPLOAD_ANSWERS["no boundary"];
}

/** A file that was refused leaves nothing behind; one that was received waits for what its caller makes of it. */
export async function receiveFile<Who>(
  { files, config }: ReceivingPorts,
  request: IncomingMessage,
  { key, admit, unreadable }: Receiving<Who>,
): Promise<Received<Who>> {
  const { fileBytesMax } = config.limits;
  const read = await readUpload(request.headers, request, async (_upload, content, fields) => {
    const admitted = await admit(fields);
    if ("refused" in admitted) return admitted;
    return { who: admitted.who, record: await files.receive(key, content, fileBytesMax) };
  });
  const { taken } = read;
  if (taken && "refused" in taken) return taken;
  if (taken?.record === "too large") return { refused: TOO_LARGE("file", fileBytesMax) };
  if (read.ok) {
    const { who, record } = read.taken as { who: Who; record: FileRecord };
    return { who, upload: read.upload, record };
  }
  if (taken) await files.discard(key);
  return { refused: unreadable ?? UPLOAD_ANSWERS[read.problem] };
}

const UPLOAD_ANSWERS: { readonly [problem in UploadProblem]: Answer } = {
  "no boundary": BAD_UPLOAD("data", "could not decode params: the multipart boundary is missing", "form-malformed"),
  malformed: BAD_UPLOAD(
    "data",
    "could not decode params: the multipart body is cut off or malformed",
    "form-malformed",
  ),
  "no file": NO_FILE,
  "two files": BAD_UPLOAD("file", "Please provide no more than 1 item.", "one-file-only"),
};
