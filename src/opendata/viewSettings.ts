import type { Config } from "../config/config.ts";
import type { ViewSettings } from "../history/publicVersions.ts";

/** The settings that views in open data depend on. */
export const viewSettingsOf = ({ zone, sandbox }: Pick<Config, "zone" | "sandbox">): ViewSettings => ({
  zone,
  sandbox,
});
