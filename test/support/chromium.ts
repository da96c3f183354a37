import { delimiter, join } from "node:path";
import { isProgram } from "./programs.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
/** The path of a Chromium: that of `CHROMIUM`, Debian's, or one on the PATH. */
export const CHROMIUM = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", ...onPath].find(
  (file) => file && isProgram(file),
);

/** The reason to skip tests that need a browser, or false. */
export const BROWSER_MISSING =
  !CHROMIUM &&
  "Chromium is missing: install it with `scripts/debian-package.sh chromium`, as .ci/run does, or set CHROMIUM";
