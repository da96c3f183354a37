import { writeFileSync } from "node:fs";

/** Loaded into a command before it starts: writes what the process has used to the file `USAGE_FILE` when it ends. */
const { USAGE_FILE: file } = process.env;
if (file) process.on("exit", () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
