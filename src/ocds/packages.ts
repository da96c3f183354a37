import { compact } from "./content/fieldValues.ts";
import { addVersion, mergeRelease, type Release, type ReleaseHead, withCompiledHead } from "./merge.ts";
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

/**
 * Everything about a contracting process: its releases or links to them, and what they say together. The versioned release, which says
 * where each value comes from, may be left out.
 */
export type OcdsRecord = {
  readonly ocid: string;
  readonly releases: readonly OcdsObject[];
  readonly compiledRelease: Release;
  readonly versionedRelease?: OcdsObject;
};

/** The releases of one process as a record has them, added one by one in the order of their dates. */
export type RecordMerger = {
  readonly add: (release: Release) => void;
  /** Undefined without releases. */
  readonly compiled: () => Release | undefined;
  /** Undefined without releases, or if it was not asked for. */
  readonly versioned: () => OcdsObject | undefined;
};

export function openRecordMerger({ hasVersions }: { readonly hasVersions: boolean }): RecordMerger {
  let content: OcdsObject = {};
  let versions: OcdsObject = {};
  let last: ReleaseHead | undefined;
  return {
    add: (release) => {
      content = mergeRelease(content, release);
      if (hasVersions) versions = addVersion(versions, release);
      const { ocid, id, date, tag } = release;
      last = { ocid, id, date, tag };
    },
    compiled: () => last && withCompiledHead(content, last),
    versioned: () => (hasVersions && last ? { ocid: last.ocid, ...versions } : undefined),
  };
}

/** The link of a record to a release; `url` is the address of the release. */
export const releaseLink = (url: string, { date, tag }: Pick<ReleaseHead, "date" | "tag">): OcdsObject => ({
  url,
  date,
  tag,
});
