import type { OpenDataSettings } from "../../config/openDataSettings.ts";
import { utcText } from "../../ocds/content/fieldValues.ts";
import type { BulkState } from "./bulkState.ts";

/** The text of `manifest.json`: the files that a state has, with their checksums. */
export function manifestText({ publisher, license, policy }: OpenDataSettings, { files, upTo }: BulkState): string {
  const manifest = {
    publisher: { name: publisher },
    license,
    publicationPolicy: policy,
    publishedDate: utcText(upTo),
    files: files.map(({ name, kind, period, bytes, unpackedBytes, lines, sha256, date }) => ({
      ...{ name, kind, period, bytes, unpackedBytes, lines, sha256 },
      date: utcText(date),
    })),
  };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}
