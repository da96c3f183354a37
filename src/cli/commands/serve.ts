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

/** The settings that have an option. An option takes precedence over the environment. */
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

function settingOf(name: string) {
  const found = SETTINGS.find((setting) => setting.name === name);
  if (!found) throw new Error(`there is no setting ${name}`);
  return found;
}

const CHOICES: { readonly [setting: string]: readonly string[] } = {
  MODE: ["sandbox", "production"],
  LOG: ["on", "off"],
};

/** Settings whose value alone can be invalid: a problem with one is a usage error. Others depend on the machine. */
const CHECKED_BY_VALUE = ["PORT", "WORKERS", "PUBLIC_URL", "DATABASE_URL"];

const OPTIONS: Options = Object.fromEntries(
  SETTING_OPTIONS.map(([option, setting, takes]) => {
    const { description, fallback } = settingOf(setting);
    return [option, { takes, description, fallback, ...(CHOICES[setting] && { choices: CHOICES[setting] }) }];
  }),
);

const NOTES = `Settings in the environment:\n\n${SETTINGS.map(
  ({ name, description, fallback }) => `  ${name.padEnd(22)} ${description}${fallback && ` [${fallback}]`}\n`,
).join("")}`;

export const serve: CliCommand = {
  name: "serve",
  handlesSignals: true,
  summary: "runs the server, like npm start; every option is also a setting in the environment",
  about:
    "In the sandbox the server first prints its address and its keys, then logs lines of JSON. In production, and with --json, it only " +
    "logs lines of JSON. Ctrl-C lets requests in flight finish.",
  options: OPTIONS,
  notes: NOTES,
  examples: [
    [
      "npx --no-install tenderhall serve --port 8090 --data-dir ./sandbox",
      "A sandbox on another port, with its own folder:",
    ],
    [
      "npx --no-install tenderhall serve --mode production --accounts-file accounts.json",
      "In production, with your own accounts:",
    ],
  ],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "serve takes only options" };
    return async ({ environment, json }) => {
      const optionSettings = settingsFrom(values);
      const settings = { ...environment, ...optionSettings };
      const problems = settingProblems(optionSettings, settings);
      if (problems.length > 0) return resultWithMessages(EXIT_USAGE, problems);
      const { runServer } = await import("../../app/serve.ts");
      await runServer(settings, { help: "npx --no-install tenderhall help serve", terse: json });
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

/** Problems with values that options set, named by the option. */
function settingProblems(optionSettings: Environment, settings: Environment): readonly string[] {
  const config = configOf(settings);
  if ("port" in config) return [];
  return SETTING_OPTIONS.filter(
    ([, setting]) => setting in optionSettings && CHECKED_BY_VALUE.includes(setting),
  ).flatMap(([option, setting]) =>
    config
      .filter((problem) => problem.startsWith(`${setting} `))
      .map((problem) => problem.replace(setting, `--${option}`)),
  );
}
