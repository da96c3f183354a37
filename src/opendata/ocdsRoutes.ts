import { MALFORMED_PATH, NOT_FOUND, OPEN_DATA_OFF } from "../http/errorResponses.ts";
import { decodedParam } from "../http/exchange.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { extensionFiles } from "../ocds/extension/extension.ts";
import { showBulkFile } from "./bulk/bulkDownloads.ts";
import type { OpenDataPorts } from "./openData.ts";
import { EXTENSION_PATH } from "./publication.ts";
import { showRecord, showRecords } from "./recordPages.ts";
import { type OpenDataExchange, publicationOf, showRelease, showReleases } from "./releasePages.ts";

/** The routes of open data, which are the same for all API versions. */
export const OCDS_ROUTES: readonly Route<OpenDataPorts>[] = [
  {
    path: "/ocds/releases",
    methods: {
      GET: {
        summary: "List OCDS releases in the order of change",
        response: { status: 200, data: "ReleasePackage", isBare: true },
        run: showReleases,
      },
    },
  },
  {
    path: "/ocds/releases/{release_id}",
    methods: {
      GET: {
        summary: "Get an OCDS release",
        response: { status: 200, data: "ReleasePackage", isBare: true },
        run: showRelease,
      },
    },
  },
  {
    path: "/ocds/records",
    methods: {
      GET: {
        summary: "List OCDS records in the order of change",
        response: { status: 200, data: "RecordPackage", isBare: true },
        run: showRecords,
      },
    },
  },
  {
    path: "/ocds/records/{ocid}",
    methods: {
      GET: {
        summary: "Get the OCDS record of a tender",
        response: { status: 200, data: "RecordPackage", isBare: true },
        run: showRecord,
      },
    },
  },
  {
    path: "/data/{data_file}",
    methods: {
      GET: {
        summary: "Download a bulk file of open data",
        response: { status: 200, file: true, ranges: "by ETag or date" },
        run: showBulkFile,
      },
    },
  },
  {
    path: `${EXTENSION_PATH}{extension_file}`,
    methods: {
      GET: {
        summary: "Get a file of the registry's OCDS extension",
        response: { status: 200, file: true },
        run: (exchange) => showExtensionFile(exchange, "", decodedParam(exchange, "extension_file")),
      },
    },
  },
  {
    path: `${EXTENSION_PATH}codelists/{codelist_file}`,
    methods: {
      GET: {
        summary: "Get a codelist of the registry's OCDS extension",
        response: { status: 200, file: true },
        run: (exchange) => showExtensionFile(exchange, "codelists/", decodedParam(exchange, "codelist_file")),
      },
    },
  },
];

function showExtensionFile(exchange: OpenDataExchange, folder: string, name: string | undefined): HttpResponse {
  const publication = publicationOf(exchange);
  if (!publication) return OPEN_DATA_OFF;
  if (name === undefined) return MALFORMED_PATH;
  const path = folder + name;
  const files = extensionFiles(`${publication.origin}${EXTENSION_PATH}`, { name: publication.settings.publisher });
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (!file) return NOT_FOUND("extension_file");
  return { status: 200, headers: { "Content-Type": file.mediaType }, bytes: Buffer.from(file.text) };
}
