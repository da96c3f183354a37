import type { OpenDataSettings } from "../config/openDataSettings.ts";
import {
  type PackageFacts,
  type PackageSettings,
  packageHead,
  packageText,
  STANDARD_EXTENSIONS,
} from "../ocds/packages.ts";

/** How the service publishes packages of releases and records. */

/** The path of the files of our extension. */
export const EXTENSION_PATH = "/ocds/extensions/tenderhall/";

/** What every package says about itself, under this origin. */
export const packageSettingsOf = (
  { publisher, license, policy }: OpenDataSettings,
  origin: string,
): PackageSettings => ({
  publisher: { name: publisher },
  ...(license !== undefined && { license }),
  ...(policy !== undefined && { publicationPolicy: policy }),
  extensions: [...STANDARD_EXTENSIONS, `${origin}${EXTENSION_PATH}extension.json`],
});

/** A package as a page: where the pages before and after it are. */
export type PageLinks = { readonly next?: string; readonly prev?: string };

/** The contents of a package, each element as JSON. */
export type PackageContents = {
  readonly kind: "releases" | "records";
  readonly elements: readonly string[];
  readonly links?: PageLinks;
};

/** The JSON of a package; undefined if it would be empty, which the standard does not allow. */
export function publishedPackage(
  facts: PackageFacts,
  { kind, elements, links = {} }: PackageContents,
  settings: PackageSettings,
): string | undefined {
  if (elements.length === 0) return undefined;
  const head = packageHead(facts, settings);
  return packageText(Object.keys(links).length > 0 ? { ...head, links: { ...links } } : head, kind, elements);
}
