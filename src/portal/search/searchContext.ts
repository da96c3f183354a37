import type { Config } from "../../config/config.ts";
import type { Dialect } from "../../dialects/dialects.ts";
import type { Zone } from "../../domain/values/time.ts";
import type { Registry } from "../../registry/registry.ts";
import { GIVEN_NAMES_LANGUAGE, type GivenCategoryNames, NO_GIVEN_NAMES } from "../cpv/cpv.ts";
import type { Language } from "../layout/languages.ts";
import type { PageRequest } from "../layout/pageRequest.ts";
import type { PortalSite } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";

/** What the pages of the search need. */
export type SearchPagePorts = {
  readonly registry: Registry;
  readonly config: Pick<Config, "zone" | "sandbox">;
  readonly dialects: ReadonlyMap<string, Dialect>;
};

/** A request for the results of a search. */
export type SearchContext = {
  readonly registry: Registry;
  readonly zone: Zone;
  readonly site: PortalSite;
  readonly language: Language;
  /** The names of organisations as last seen in public, short enough for a list, by their keys. */
  readonly readOrganizationNames: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The names that tenders give to categories, in the language of the page. */
  readonly readCategoryNames: (categories: readonly string[]) => Promise<GivenCategoryNames>;
};

/** The context of a request. */
export const searchContextOf = (
  { registry, config }: SearchPagePorts,
  { site, language }: PageRequest,
): SearchContext => ({
  ...{ registry, site, language },
  zone: config.zone,
  readOrganizationNames: async (keys) => {
    const named = await Promise.all(
      [...new Set(keys)].map(async (key) => {
        const name = shortText(textIn(language, await registry.organizationName(key), "name") ?? "");
        return [key, name === "" ? key : name] as const;
      }),
    );
    return new Map(named);
  },
  readCategoryNames: async (categories) =>
    language === GIVEN_NAMES_LANGUAGE && categories.length > 0 ? registry.categoryNames(categories) : NO_GIVEN_NAMES,
});
