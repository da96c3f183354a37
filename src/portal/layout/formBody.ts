import type { IncomingMessage } from "node:http";
import { RequestAborted } from "../../http/jsonBody.ts";

/** Longer than any form of the portal. */
const FORM_BYTES_MAX = 16 * 1024;

/** The fields of a form as browsers send it. What is longer than any form, or is no form, has no fields. */
export async function readFormBody(request: IncomingMessage): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
    return new URLSearchParams();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > FORM_BYTES_MAX) return new URLSearchParams();
      chunks.push(chunk);
    }
  } catch {
    throw new RequestAborted();
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
