import { AUCTIONS_UK } from "./uk/auctions.ts";
import { CALENDAR_UK } from "./uk/calendar.ts";
import { CHANGES_UK } from "./uk/changes.ts";
import { DATA_UK } from "./uk/data.ts";
import { HOME_UK } from "./uk/home.ts";
import { LAYOUT_UK } from "./uk/layout.ts";
import { NAMES_UK } from "./uk/names.ts";
import { ORGANIZATIONS_UK } from "./uk/organizations.ts";
import { PROFILES_UK } from "./uk/profiles.ts";
import { REGIONS_UK } from "./uk/regions.ts";
import { SEARCH_UK } from "./uk/search.ts";
import { SITE_UK } from "./uk/site.ts";
import { STATISTICS_UK } from "./uk/statistics.ts";
import { TENDER_UK } from "./uk/tender.ts";

/** The Ukrainian texts, an area of the portal each. The other languages must have exactly the same keys. */
export const UKRAINIAN = {
  layout: LAYOUT_UK,
  site: SITE_UK,
  home: HOME_UK,
  names: NAMES_UK,
  tender: TENDER_UK,
  auctions: AUCTIONS_UK,
  changes: CHANGES_UK,
  regions: REGIONS_UK,
  search: SEARCH_UK,
  statistics: STATISTICS_UK,
  profiles: PROFILES_UK,
  organizations: ORGANIZATIONS_UK,
  calendar: CALENDAR_UK,
  data: DATA_UK,
};

/** The keys of the catalogue, and the parameters of its texts. A catalogue that lacks a key, or has another, does not compile. */
export type Messages = typeof UKRAINIAN;
