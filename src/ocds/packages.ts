import { compact } from "./content/fieldValues.ts";
import { compileReleases, type Release, versionReleases } from "./merge.ts";
import type { OcdsObject } from "./ocdsValues.ts";

/** Packages: what OCDS publishes releases and records in, with who publishes them and under which licence. */

/** Who publishes. `name` is required; `scheme` and `uid` name an entry in a register. */
export type OcdsPublisher = {
  readonly name: string;
  readonly scheme?: string;
  readonly uid?: string;
  readonly uri?: string;
};

/** What every package says besides its contents. */
export type PackageSettings = {
  readonly publisher: OcdsPublisher;
  /** The address of the licence. */
  readonly license?: string;
  /** The address of a page that says what is published, and how. */
  readonly publicationPolicy?: string;
  /** The addresses of the files `extension.json`: those of `STANDARD_EXTENSIONS`, and of ours where it is served. */
  readonly extensions: readonly string[];
};

/** The version of OCDS as packages name it: without the last number. */
const OCDS_VERSION = "1.1";

/** The extensions of the standard that releases use. */
export const STANDARD_EXTENSIONS: readonly string[] = [
  "https://raw.githubusercontent.com/open-contracting-extensions/ocds_bid_extension/v1.1.5/extension.json",
  "https://raw.githubusercontent.com/open-contracting-extensions/ocds_enquiry_extension/v1.1.5/extension.json",
  "https://raw.githubusercontent.com/open-contracting-extensions/ocds_lots_extension/v1.1.5/extension.json",
];

/** The address of a package and the date of the newest release in it. The date is not that of the request, so that packages can be cached. */
export type PackageFacts = { readonly uri: string; readonly publishedDate: string };

/** A package without its contents. */
export const packageHead = ({ uri, publishedDate }: PackageFacts, settings: PackageSettings): OcdsObject => {
  const { publisher, license, publicationPolicy, extensions } = settings;
  return compact({
    uri,
    version: OCDS_VERSION,
    publishedDate,
    publisher: compact(publisher),
    license,
    publicationPolicy,
    extensions,
  });
};

/**
 * The JSON of a package from the JSON of its releases or records, which does not have to be parsed for it. The standard does not allow
 * a package without any, so the list must not be empty.
 */
export function packageText(head: OcdsObject, name: "releases" | "records", elements: readonly string[]): string {
  if (elements.length === 0) throw new RangeError("A package must not be empty");
  return `${JSON.stringify(head).slice(0, -1)},"${name}":[${elements.join(",")}]}`;
}

/** Everything about a contracting process: its releases or links to them, and what they say together. */
export type OcdsRecord = {
  readonly ocid: string;
  readonly releases: readonly OcdsObject[];
  readonly compiledRelease: Release;
  readonly versionedRelease: OcdsObject;
};

/** The record of a contracting process with its releases in it. */
export function embeddedRecord(releases: readonly Release[]): OcdsRecord {
  const compiledRelease = compileReleases(releases);
  return { ocid: compiledRelease.ocid, releases, compiledRelease, versionedRelease: versionReleases(releases) };
}

/** The record of a contracting process with links to its releases; `addressOf` is the address of a release. */
export function linkedRecord(releases: readonly Release[], addressOf: (release: Release) => string): OcdsRecord {
  const links = releases.map((release) => ({ url: addressOf(release), date: release.date, tag: release.tag }));
  return { ...embeddedRecord(releases), releases: links };
}
