import type { Config } from "../../config/config.ts";
import { basePathOf } from "../markup.ts";
import type { PortalSite } from "./portalPage.ts";

/** The site as the settings describe it, at the address under which it was requested. */
export const portalSiteOf = (
  { site, language, sandbox, openData }: Pick<Config, "site" | "language" | "sandbox" | "openData">,
  origin: string,
): PortalSite => ({
  ...site,
  origin,
  basePath: basePathOf(origin),
  defaultLanguage: language,
  sandbox,
  hasOpenData: openData !== undefined,
});
