import { SETTINGS } from "../config.ts";
import { type Command, type Options, said } from "./operated.ts";

/** Settings that are worth typing; what is not given, the environment says. */
const OF_SETTINGS: readonly (readonly [option: string, setting: string, takes: string])[] = [
  ["port", "PORT", "PORT"],
  ["host", "HOST", "ADDRESS"],
  ["data-dir", "DATA_DIR", "FOLDER"],
  ["database-url", "DATABASE_URL", "URL"],
  ["documents-url", "DOCUMENTS_URL", "URL"],
  ["public-url", "PUBLIC_URL", "URL"],
  ["mode", "MODE", "MODE"],
  ["accounts-file", "ACCOUNTS_FILE", "FILE"],
  ["workers", "WORKERS", "NUMBER"],
  ["log", "LOG", "on|off"],
];

const settingOf = (name: string) => SETTINGS.find((one) => one.name === name)!;

const OPTIONS: Options = Object.fromEntries(
  OF_SETTINGS.map(([option, setting, takes]) => {
    const { means, fallback } = settingOf(setting);
    return [option, { takes, means, fallback, ...(setting === "MODE" && { choices: ["sandbox", "production"] }) }];
  }),
);

const NOTES = `Settings in the environment, for what no option says:\n\n${SETTINGS.map(
  ({ name, means, fallback }) => `  ${name.padEnd(22)} ${means}${fallback && ` [${fallback}]`}\n`,
).join("")}`;

/** Whatever the process is started by, it serves by this. */
export const serve: Command = {
  name: "serve",
  summary: "serves the registry, as npm start does; every option is a setting of the environment too",
  about:
    "In the sandbox it says where it listens and which keys it knows; then, and in production, it writes lines of JSON. " +
    "With --json it writes these alone. Ctrl-C lets what is in flight finish.",
  options: OPTIONS,
  notes: NOTES,
  examples: [
    ["npx tenderhall serve --port 8090 --data-dir ./sandbox", "A sandbox on another port, in a folder of its own:"],
    [
      "npx tenderhall serve --mode production --accounts-file accounts.json",
      "In production, with accounts of your own:",
    ],
  ],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "serve takes options only" };
    return async ({ environment, json }) => {
      const { serveAs } = await import("../serving.ts");
      const given = OF_SETTINGS.flatMap(([option, setting]) => {
        const value = values[option];
        return typeof value === "string" ? [[setting, value] as const] : [];
      });
      const settings = { ...environment, ...Object.fromEntries(given) };
      await serveAs(settings, { help: "npx tenderhall help serve", terse: json });
      return said("");
    };
  },
};
