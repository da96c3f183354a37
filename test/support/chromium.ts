import { delimiter, join } from "node:path";
import { isProgram } from "./programs.ts";

/** A real browser, where there is one: `CHROMIUM` names it, or it is where Debian puts it, or on the path. */

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
export const CHROMIUM = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", ...onPath].find(
  (file) => file && isProgram(file),
);

/** Why tests that need it are skipped, if they are. */
export const BROWSER_MISSING =
  !CHROMIUM &&
  "there is no chromium: `scripts/debian-package.sh chromium` installs Debian's, as .ci/run does; CHROMIUM names another";
