import { resolve } from "node:path";
import { errorMessage } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { OpenDataSettings } from "../../config/openDataSettings.ts";
import { configuredOrigin } from "../../http/origins.ts";
import type { ReleaseProblem } from "../../opendata/check.ts";
import type { Store } from "../../store/store.ts";
import {
  type CliCommand,
  type CommandResult,
  EXIT_FAILURE,
  EXIT_OK,
  parseOneFolder,
  pluralize,
  resultWithMessages,
  stagesOnTerminal,
  type Terminal,
  textOption,
  withConfig,
} from "../command.ts";

const OPEN_DATA_IS_OFF = resultWithMessages(EXIT_FAILURE, [
  "Open data is off: set OCDS_PREFIX, OCDS_PUBLISHER and OCDS_LICENSE.",
]);

const NEEDS_RELEASES =
  "A running server makes the releases of its registry itself, and the command works on those that are made. Without a server the command " +
  "makes those that are missing first.";

export const ocdsExport: CliCommand = {
  name: "ocds export",
  takes: "DIR",
  summary: "writes the open data of the registry to a folder: releases, compiled releases and tables",
  about: `The files are those at /data: by month and all together, with a manifest. ${NEEDS_RELEASES} In a folder that has an earlier export, only what changed is written again.`,
  interruptHint: "Files that are complete stay. Run the same command again to continue.",
  options: {},
  examples: [["npx --no-install tenderhall ocds export /srv/open-data", "To a folder that a web server shows:"]],
  parse: parseOneFolder("ocds export takes one folder", runExport),
};

async function runExport(folder: string, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { updateBulkFiles } = await import("../../opendata/bulk/bulkFiles.ts");
  const { readBulkSource } = await import("../../opendata/bulk/bulkSource.ts");
  const beginStage = stagesOnTerminal(terminal);
  return withReleases(config, terminal, async (store, settings, origin) => {
    const source = readBulkSource(store);
    // Most of what commands write is for their user alone. This is for everyone, such as a web server that runs as another user.
    const umask = process.umask(0o022);
    const { files } = await updateBulkFiles({
      ...{ folder: resolve(folder), source, settings, origin, beginStage },
    }).finally(() => process.umask(umask));
    const json = { folder: resolve(folder), files: files.length };
    return resultWithMessages(EXIT_OK, [`${pluralize(files.length, "file")} in ${resolve(folder)}.`], "", json);
  });
}

export const ocdsCheck: CliCommand = {
  name: "ocds check",
  summary: "checks the open data of the registry: whether it is coherent, and valid by the schemas of the standard",
  about:
    "Checks all releases, and the compiled and the versioned release of each tender. Without --schemas, only coherence is checked. " +
    `${NEEDS_RELEASES} The folder of --schemas has release-schema.json, record-package-schema.json and ` +
    "versioned-release-validation-schema.json in schema/, and extensions/NAME/release-schema.json of the bids, enquiries and lots " +
    "extensions; the check needs the packages ajv, ajv-draft-04 and ajv-formats.",
  interruptHint: "Nothing was changed. Run the same command again to start over.",
  options: { schemas: { takes: "DIR", description: "the folder of the schemas of OCDS 1.1.5" } },
  examples: [["npx --no-install tenderhall ocds check", "Whether the data is coherent:"]],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "ocds check takes only options" };
    return withConfig((config, terminal) => runCheck(textOption(values, "schemas"), config, terminal));
  },
};

/** More problems than this are counted, not listed. */
const LISTED_MAX = 100;

async function runCheck(schemas: string | undefined, config: Config, terminal: Terminal): Promise<CommandResult> {
  const { checkReleases, openSchemaValidator } = await import("../../opendata/check.ts");
  const { readStoredReleases } = await import("../../opendata/openData.ts");
  const validator = schemas === undefined ? undefined : await openSchemaValidator(schemas);
  return withReleases(config, terminal, async (store, { ocidPrefix }, origin) => {
    const total = await store.keyValues.count({ kind: "release", limit: Number.MAX_SAFE_INTEGER });
    const stage = stagesOnTerminal(terminal)("checking", total, "releases");
    const problems: ReleaseProblem[] = [];
    let count = 0;
    try {
      const onTender = (releases: number) => stage.step(releases);
      const settings = { openData: readStoredReleases(store), values: { origin, ocidPrefix }, validator, onTender };
      for await (const problem of checkReleases(settings)) {
        count++;
        if (problems.length < LISTED_MAX) problems.push(problem);
      }
    } finally {
      stage.end();
    }
    return checkResult(problems, { releases: total, problems: count, schemas: validator !== undefined });
  });
}

type CheckCounts = { readonly releases: number; readonly problems: number; readonly schemas: boolean };

function checkResult(problems: readonly ReleaseProblem[], counts: CheckCounts): CommandResult {
  const scope = counts.schemas
    ? "coherence and schemas"
    : "coherence only: use --schemas DIR to check the schemas, too";
  const lines = problems.map(({ release, path, problem }) => `${release} ${path || "/"}: ${problem}`);
  const rest = counts.problems - problems.length;
  const summary = `${pluralize(counts.releases, "release")} checked (${scope}): ${pluralize(counts.problems, "problem")}.`;
  return resultWithMessages(
    counts.problems === 0 ? EXIT_OK : EXIT_FAILURE,
    [...lines, ...(rest > 0 ? [`and ${pluralize(rest, "more problem")}`] : []), summary],
    "",
    { ...counts, found: problems },
  );
}

export const ocdsRebuild: CliCommand = {
  name: "ocds rebuild",
  summary: "makes all releases of the registry again",
  about:
    "Use it after an upgrade that corrects how releases are made, or if the log of a server said that a change could not be turned into a " +
    "release. Releases that were right come out the same. On SQLite, stop the server first. On PostgreSQL servers may run: " +
    "until the command ends, readers see only the releases that are made again. Servers then make their bulk files again, within an hour, and so does the next ocds export into a folder.",
  interruptHint: "A server that starts makes the rest, and so does the same command.",
  options: {},
  examples: [["npx --no-install tenderhall ocds rebuild", "After an upgrade that asks for it:"]],
  parse: (_values, positionals) => {
    if (positionals.length > 0) return { usageError: "ocds rebuild takes no arguments" };
    return withConfig(runRebuild);
  },
};

async function runRebuild(config: Config, terminal: Terminal): Promise<CommandResult> {
  if (!config.openData) return OPEN_DATA_IS_OFF;
  const { openForImport, openForReading } = await import("../../app/offline.ts");
  const { releasePosition, requestRebuild } = await import("../../opendata/releaseBatches.ts");
  // Reports that there is no registry; opening it to write would create one.
  await (await openForReading(config)).close();
  const { store, close } = await openForImport(config, "ledger");
  try {
    await requestRebuild(store);
    const badChanges = await catchUpOn(store, config, terminal, "rebuilding");
    const left = (await store.position()) - (await releasePosition(store.keyValues)).sequence;
    const releases = await store.keyValues.count({ kind: "release", limit: Number.MAX_SAFE_INTEGER });
    return withBadChanges(rebuildResult(releases, left), badChanges);
  } finally {
    await close();
  }
}

function rebuildResult(releases: number, left: number): CommandResult {
  const summary =
    left > 0
      ? `A server makes the releases again. ${pluralize(left, "change")} of the ledger are left.`
      : `${pluralize(releases, "release")} made again.`;
  return resultWithMessages(EXIT_OK, [summary], "", { releases, left });
}

/** Memory for the states of tenders, as a server has it. */
const STATES_BYTES_MAX = 32 * 1024 * 1024;

/** A change of a tender from which no release could be made, and why. */
type BadChange = { readonly sequence: number; readonly tender: string; readonly problem: string };

/**
 * Makes the releases that are left. If a server is running on the registry, it makes them itself. Returns the changes that made none
 * because of an error.
 */
async function makeReleases(config: Config, terminal: Terminal): Promise<readonly BadChange[]> {
  const { openForImport, openForReading, RegistryInUseError } = await import("../../app/offline.ts");
  const { releasePosition } = await import("../../opendata/releaseBatches.ts");
  // Reports that there is no registry; opening it to write would create one, and costs more.
  const reading = await openForReading(config);
  const isComplete = (await releasePosition(reading.store.keyValues)).sequence >= (await reading.store.position());
  await reading.close();
  if (isComplete) return [];
  const opened = await openForImport(config, "ledger").catch((error: unknown) => {
    if (!(error instanceof RegistryInUseError)) throw error;
  });
  if (!opened) return [];
  try {
    return await catchUpOn(opened.store, config, terminal, "making releases");
  } finally {
    await opened.close();
  }
}

/** Makes the releases of a registry that are left, with a progress bar. Returns the changes that made none because of an error. */
async function catchUpOn(
  store: Store,
  config: Config,
  terminal: Terminal,
  label: string,
): Promise<readonly BadChange[]> {
  const { openReleaseMaker } = await import("../../opendata/releaseMaker.ts");
  const { releasePosition } = await import("../../opendata/releaseBatches.ts");
  const { viewSettingsOf } = await import("../../opendata/viewSettings.ts");
  const badChanges: BadChange[] = [];
  let { sequence: done } = await releasePosition(store.keyValues);
  const left = (await store.position()) - done;
  const stage = left > 0 ? stagesOnTerminal(terminal)(label, left, "changes") : undefined;
  const maker = openReleaseMaker({
    ...{ store, registry: { onChange: () => () => {} }, viewSettings: viewSettingsOf(config), runsTimer: false },
    ...{ isSoleProcess: !config.databaseUrl, cacheBytesMax: STATES_BYTES_MAX },
    onBatch: (batch) => {
      stage?.step(batch.done - done);
      done = batch.done;
    },
    onBadRow: (error, { sequence, tender }) => badChanges.push({ sequence, tender, problem: errorMessage(error) }),
    onFailure: () => {},
  });
  try {
    await maker.catchUp();
  } finally {
    stage?.end();
    await maker.stop();
  }
  return badChanges;
}

const BAD_CHANGES_LISTED = 10;

/** A result that reports the changes that made no release. */
function withBadChanges(result: CommandResult, badChanges: readonly BadChange[]): CommandResult {
  if (badChanges.length === 0) return result;
  const lines = badChanges
    .slice(0, BAD_CHANGES_LISTED)
    .map(({ sequence, tender, problem }) => `  row ${sequence} of the ledger, tender ${tender}: ${problem}\n`);
  const summary = `${pluralize(badChanges.length, "change")} made no release:\n${lines.join("")}`;
  return { ...result, code: EXIT_FAILURE, err: result.err + summary };
}

/** Opens the registry, and makes sure that its releases are made. */
async function withReleases(
  config: Config,
  terminal: Terminal,
  run: (store: Store, settings: OpenDataSettings, origin: string) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { openData: settings } = config;
  if (!settings) return OPEN_DATA_IS_OFF;
  const badChanges = await makeReleases(config, terminal);
  const { openForReading } = await import("../../app/offline.ts");
  const { releasePosition } = await import("../../opendata/releaseBatches.ts");
  const { store, close } = await openForReading(config);
  try {
    const { sequence } = await releasePosition(store.keyValues);
    const left = (await store.position()) - sequence;
    const result = withBadChanges(await run(store, settings, configuredOrigin(config)), badChanges);
    const note = `Releases of ${pluralize(left, "change")} are not made yet, so they are not included.\n`;
    return left > 0 ? { ...result, err: result.err + note } : result;
  } finally {
    await close();
  }
}
