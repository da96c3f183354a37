import { englishPlural } from "../../formats.ts";
import type { Messages } from "../uk.ts";

/** The page of open data. */
export const DATA_EN: Messages["data"] = {
  title: "Open data",
  description:
    "All tenders of the registry in the Open Contracting Data Standard: files to download, and an interface for programs.",
  lead: "Here is everything that the registry knows about tenders and everyone may see, in the Open Contracting Data Standard (OCDS 1.1). You need no registration.",
  licenseTerm: "Licence",
  noLicense: "Not stated",
  publisher: "Publisher",
  policy: "Publication policy",
  updated: "Data up to",
  guide: "How to use the data",
  forPrograms: "For programs",
  releases: "Releases in the order of change",
  records: "Records of tenders",
  manifest: "List of files for programs",
  files: "Files",
  none: "There are no files yet: the server is preparing them, which usually takes a few minutes.",
  whole: "The whole registry",
  month: (month) => `Month ${month}`,
  file: "File",
  contents: "Contents",
  size: "Size",
  lines: "Lines",
  date: "Last change",
  checksum: "SHA-256",
  earlier: "By month",
  kinds: {
    releases: "Releases (JSON)",
    compiled: "Compiled releases (JSON)",
    tenders: "Tenders (CSV)",
    lots: "Lots (CSV)",
    items: "Items (CSV)",
    parties: "Organisations (CSV)",
    bids: "Bids (CSV)",
    awards: "Awards (CSV)",
    contracts: "Contracts (CSV)",
    documents: "Documents (CSV)",
  },
  fileCount: (count, number) => `${count} ${englishPlural(number, { one: "file", other: "files" })}`,
};
