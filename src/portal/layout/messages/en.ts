import { AUCTIONS_EN } from "./en/auctions.ts";
import { CALENDAR_EN } from "./en/calendar.ts";
import { CHANGES_EN } from "./en/changes.ts";
import { DATA_EN } from "./en/data.ts";
import { HOME_EN } from "./en/home.ts";
import { LAYOUT_EN } from "./en/layout.ts";
import { NAMES_EN } from "./en/names.ts";
import { ORGANIZATIONS_EN } from "./en/organizations.ts";
import { PROFILES_EN } from "./en/profiles.ts";
import { REGIONS_EN } from "./en/regions.ts";
import { SEARCH_EN } from "./en/search.ts";
import { SITE_EN } from "./en/site.ts";
import { STATISTICS_EN } from "./en/statistics.ts";
import { TENDER_EN } from "./en/tender.ts";
import type { Messages } from "./uk.ts";

/** The English texts. */
export const ENGLISH: Messages = {
  layout: LAYOUT_EN,
  site: SITE_EN,
  home: HOME_EN,
  names: NAMES_EN,
  tender: TENDER_EN,
  auctions: AUCTIONS_EN,
  changes: CHANGES_EN,
  regions: REGIONS_EN,
  search: SEARCH_EN,
  statistics: STATISTICS_EN,
  profiles: PROFILES_EN,
  organizations: ORGANIZATIONS_EN,
  calendar: CALENDAR_EN,
  data: DATA_EN,
};
