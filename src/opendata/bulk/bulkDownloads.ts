import { download } from "../../documents/downloads.ts";
import type { Files } from "../../files/files.ts";
import {
  FILES_PENDING,
  MALFORMED_PATH,
  NO_RELEASES,
  NOT_FOUND,
  OPEN_DATA_OFF,
  UNAVAILABLE,
} from "../../http/errorResponses.ts";
import { decodedParam } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { OpenDataPublication } from "../openData.ts";
import { type OpenDataExchange, publicationOf } from "../releasePages.ts";
import { bulkFolderOf } from "./bulkFolder.ts";
import { type BulkFile, MANIFEST_FILE } from "./bulkState.ts";
import { openPart } from "./gzipFile.ts";
import { manifestText } from "./manifest.ts";

/** `GET /data/FILE`: a bulk file or the manifest. */
export async function showBulkFile(exchange: OpenDataExchange): Promise<HttpResponse> {
  const publication = publicationOf(exchange);
  if (!publication) return OPEN_DATA_OFF;
  const folder = bulkFolderOf(exchange.ports.config);
  const name = decodedParam(exchange, "data_file");
  if (name === undefined) return MALFORMED_PATH;
  const state = await publication.openData.bulkState();
  if (name === MANIFEST_FILE) {
    // From the state and not from the file, which is written a moment later.
    if (state && state.upTo > 0) return { status: 200, json: manifestText(publication.settings, state) };
    return (await hasReleases(publication)) ? FILES_PENDING : NO_RELEASES;
  }
  const file = state?.files.find((candidate) => candidate.name === name);
  return file ? downloadFile(exchange, folder, file) : NOT_FOUND("data_file");
}

async function hasReleases({ openData }: OpenDataPublication): Promise<boolean> {
  const [first] = await openData.releases({ descending: false, beyond: undefined, limit: 1 });
  return first !== undefined;
}

async function downloadFile(exchange: OpenDataExchange, folder: string, file: BulkFile): Promise<HttpResponse> {
  const { name, bytes: size, sha256, modifiedMs } = file;
  const handle = await openPart(folder, file);
  // The file was just replaced by a newer one, which the state will have in a moment.
  if (!handle) return UNAVAILABLE;
  let isOpened = false;
  const files: Pick<Files, "link" | "open"> = {
    link: async () => undefined,
    open: async (_key, range) => {
      isOpened = true;
      return { stream: handle.createReadStream(range ?? {}), size };
    },
  };
  try {
    const ports = { files, config: { documents: undefined } };
    const version = { id: name, title: name, format: "application/gzip", key: name, sha256, size };
    const response = await download({ request: exchange.request, ports }, version, modifiedMs);
    return { ...response, headers: { ...response.headers, "Cache-Control": "public, no-cache" } };
  } finally {
    if (!isOpened) await handle.close();
  }
}
