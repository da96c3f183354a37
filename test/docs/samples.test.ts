import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { openSchema } from "../support/engines.ts";
import { publish } from "../support/examples.ts";
import { runSamples, type Sample, type Stage, samplesOf } from "../support/samples.ts";
import { openWorld, type World } from "../support/world.ts";

/**
 * The page of the rules shows them, not this file; the client's samples are run by test/scenarios/clientDocs.test.ts, and
 * the examples of commands are those of their help, each a choice and not a step after the one before.
 */
const NOT_RUN_HERE = ["errors.md", "client.md", "commands.md"];
const pages = globSync("**/*.md", { cwd: "docs" })
  .filter((file) => !NOT_RUN_HERE.includes(file))
  .toSorted();

const DATABASE = "postgres://user:password@host/database";

const samplesToRun = (file: string): readonly Sample[] => samplesOf(readFileSync(`docs/${file}`, "utf8"));

async function stageOf(world: World, samples: readonly Sample[]): Promise<Stage> {
  const repairs = samples.some(({ text }) => text.includes(" ID "));
  const id = repairs ? (await publish(world.api("2.3"), { title: "A tender to repair" })).id : "";
  return {
    names: {
      "http://127.0.0.1:8080": world.url,
      "/backup/tenderhall": "./backup",
      "/tmp/moving": "./moving",
      " ID ": ` ${id} `,
    },
    environment: { DATA_DIR: world.dataDir, ...world.database.environment },
  };
}

/** Each sample that names a database is given an empty one, where there is a PostgreSQL. */
async function withDatabases(
  samples: readonly Sample[],
): Promise<{ samples: readonly Sample[]; drop: () => Promise<void> }> {
  const hasPostgres = process.env.TEST_DATABASE_URL !== undefined;
  const databases: { drop: () => Promise<void> }[] = [];
  const given: Sample[] = [];
  for (const sample of samples) {
    if (!sample.text.includes(DATABASE)) given.push(sample);
    else if (hasPostgres) {
      const schema = await openSchema();
      databases.push(schema);
      given.push({
        ...sample,
        text: sample.text.replaceAll(`DATABASE_URL=${DATABASE}`, `DATABASE_URL='${schema.url}'`),
      });
    }
  }
  return { samples: given, drop: async () => void (await Promise.all(databases.map(({ drop }) => drop()))) };
}

describe("the samples of", () => {
  for (const file of pages) {
    const toRun = samplesToRun(file);
    if (toRun.length === 0) continue;
    it(`docs/${file} work when pasted from top to bottom`, { concurrency: true }, async () => {
      const world = await openWorld({}, true);
      // What an operator runs on the page is for SQLite here; the stories of the commands are told on both engines.
      const { samples, drop } = await withDatabases(toRun);
      try {
        await runSamples(samples, await stageOf(world, samples));
      } finally {
        await world.stop();
        await drop();
      }
    });
  }

  it("every file named on a page is used on it", () => {
    for (const file of pages) {
      const samples = samplesOf(readFileSync(`docs/${file}`, "utf8"));
      for (const { note } of samples.filter((one) => one.note !== undefined && one.note !== "output"))
        assert.ok(
          samples.some(({ note: other, text }) => other !== note && text.includes(note!)),
          `${file}: ${note}`,
        );
    }
  });
});
