import { configOf, type Environment } from "../../config/config.ts";
import { SETTINGS } from "../../config/settings.ts";
import {
  type CliCommand,
  EXIT_USAGE,
  type Options,
  type OptionValues,
  resultWithMessages,
  successResult,
} from "../command.ts";

/** Settings that are worth typing; what is not given, the environment says. */
const SETTING_OPTIONS: readonly (readonly [option: string, setting: string, takes: string])[] = [
  ["port", "PORT", "PORT"],
  ["host", "HOST", "ADDRESS"],
  ["data-dir", "DATA_DIR", "FOLDER"],
  ["database-url", "DATABASE_URL", "URL"],
  ["documents-url", "DOCUMENTS_URL", "URL"],
  ["public-url", "PUBLIC_URL", "URL"],
  ["mode", "MODE", "MODE"],
  ["accounts-file", "ACCOUNTS_FILE", "FILE"],
  ["workers", "WORKERS", "NUMBER"],
  ["log", "LOG", "LOG"],
];

const settingOf = (name: string) => SETTINGS.find((setting) => setting.name === name)!;

const CHOICES: { readonly [setting: string]: readonly string[] } = {
  MODE: ["sandbox", "production"],
  LOG: ["on", "off"],
};

/** What their values are is all that can be wrong with them; of others the machine has to say whether they are. */
const CHECKED_BY_VALUE = ["PORT", "WORKERS", "PUBLIC_URL", "DATABASE_URL"];

const OPTIONS: Options = Object.fromEntries(
  SETTING_OPTIONS.map(([option, setting, takes]) => {
    const { description: means, fallback } = settingOf(setting);
    return [option, { takes, means, fallback, ...(CHOICES[setting] && { choices: CHOICES[setting] }) }];
  }),
);

const NOTES = `Settings in the environment, for what no option says:\n\n${SETTINGS.map(
  ({ name, description: means, fallback }) => `  ${name.padEnd(22)} ${means}${fallback && ` [${fallback}]`}\n`,
).join("")}`;

/** Whatever the process is started by, it serves by this. */
export const serve: CliCommand = {
  name: "serve",
  handlesSignals: true,
  summary: "serves the registry, as npm start does; every option is a setting of the environment too",
  about:
    "In the sandbox it says where it listens and which keys it knows; then, and in production, it writes lines of JSON. " +
    "With --json it writes these alone. Ctrl-C lets what is in flight finish.",
  options: OPTIONS,
  notes: NOTES,
  examples: [
    [
      "npx --no-install tenderhall serve --port 8090 --data-dir ./sandbox",
      "A sandbox on another port, in a folder of its own:",
    ],
    [
      "npx --no-install tenderhall serve --mode production --accounts-file accounts.json",
      "In production, with accounts of your own:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { misused: "serve takes options only" };
    return async ({ environment, json }) => {
      const given = settingsFrom(values);
      const settings = { ...environment, ...given };
      const wrong = settingProblems(given, settings);
      if (wrong.length > 0) return resultWithMessages(EXIT_USAGE, wrong);
      const { runServer: serveAs } = await import("../../app/serve.ts");
      await serveAs(settings, { help: "npx --no-install tenderhall help serve", terse: json });
      return successResult("");
    };
  },
};

const settingsFrom = (values: OptionValues): Environment =>
  Object.fromEntries(
    SETTING_OPTIONS.flatMap(([option, setting]) => {
      const value = values[option];
      return typeof value === "string" ? [[setting, value] as const] : [];
    }),
  );

/** Told by the option, as that was typed. */
function settingProblems(given: Environment, settings: Environment): readonly string[] {
  const config = configOf(settings);
  if ("port" in config) return [];
  return SETTING_OPTIONS.filter(([, setting]) => setting in given && CHECKED_BY_VALUE.includes(setting)).flatMap(
    ([option, setting]) =>
      config
        .filter((problem) => problem.startsWith(`${setting} `))
        .map((problem) => problem.replace(setting, `--${option}`)),
  );
}
