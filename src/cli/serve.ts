import { configOf, type Environment, SETTINGS } from "../config.ts";
import { type Command, complained, MISUSED, type Options, said, type Values } from "./operated.ts";

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
  ["log", "LOG", "LOG"],
];

const settingOf = (name: string) => SETTINGS.find((one) => one.name === name)!;

const CHOICES: { readonly [setting: string]: readonly string[] } = {
  MODE: ["sandbox", "production"],
  LOG: ["on", "off"],
};

/** What their values are is all that can be wrong with them; of others the machine has to say whether they are. */
const BY_VALUE_ALONE = ["PORT", "WORKERS", "PUBLIC_URL", "DATABASE_URL"];

const OPTIONS: Options = Object.fromEntries(
  OF_SETTINGS.map(([option, setting, takes]) => {
    const { means, fallback } = settingOf(setting);
    return [option, { takes, means, fallback, ...(CHOICES[setting] && { choices: CHOICES[setting] }) }];
  }),
);

const NOTES = `Settings in the environment, for what no option says:\n\n${SETTINGS.map(
  ({ name, means, fallback }) => `  ${name.padEnd(22)} ${means}${fallback && ` [${fallback}]`}\n`,
).join("")}`;

/** Whatever the process is started by, it serves by this. */
export const serve: Command = {
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
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "serve takes options only" };
    return async ({ environment, json }) => {
      const given = givenIn(values);
      const settings = { ...environment, ...given };
      const wrong = wrongIn(given, settings);
      if (wrong.length > 0) return complained(MISUSED, wrong);
      const { serveAs } = await import("../serving.ts");
      await serveAs(settings, { help: "npx --no-install tenderhall help serve", terse: json });
      return said("");
    };
  },
};

const givenIn = (values: Values): Environment =>
  Object.fromEntries(
    OF_SETTINGS.flatMap(([option, setting]) => {
      const value = values[option];
      return typeof value === "string" ? [[setting, value] as const] : [];
    }),
  );

/** Told by the option, as that was typed. */
function wrongIn(given: Environment, settings: Environment): readonly string[] {
  const config = configOf(settings);
  if ("port" in config) return [];
  return OF_SETTINGS.filter(([, setting]) => setting in given && BY_VALUE_ALONE.includes(setting)).flatMap(
    ([option, setting]) =>
      config.filter((one) => one.startsWith(`${setting} `)).map((one) => one.replace(setting, `--${option}`)),
  );
}
