import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, describe, it } from "node:test";
import { inAuction, untilQualified } from "../support/auctionScenes.ts";
import { openSchema } from "../support/engines.ts";
import { publish } from "../support/examples.ts";
import { waitForNextPoll } from "../support/processes.ts";
import { missingPrograms } from "../support/programs.ts";
import { runSamples, type Sample, samplesOf } from "../support/samples.ts";
import { openWorld } from "../support/world.ts";

/** Runs the examples of docs/commands.md, which are those of the help, each in a prepared environment. */

const samples = samplesOf(readFileSync("docs/commands.md", "utf8"));
const hasPostgres = process.env.TEST_DATABASE_URL !== undefined;
const DATABASE = "DATABASE_URL=postgres://...";

/** Replaces `npx --no-install tenderhall` in the checkout, which takes a second to start. */
const npx = (
  before = "",
) => `npx() { shift 2; ${before}'${process.execPath}' --disable-warning=ExperimentalWarning '${resolve("src/cli/tenderhall.ts")}' "$@"; }
`;
/** Commands that run until a signal. An example of them works if it has a result and still runs. */
const GOES_ON = /^npx --no-install tenderhall (serve|tender watch|auction watch|sync .*--follow)/;

const world = await openWorld({ AUCTIONS: "builtin" }, true);
after(world.stop);
const [running, planned, ended] = await Promise.all([inAuction(world), inAuction(world), inAuction(world)]);
await running.advance({ next: true });
await untilQualified(ended);
const { id, tenderID } = (await publish(world.api("2.3"), { title: "To be shown" })).response.body.data;
const made = await fetch(`${world.url}/sandbox/clocks`, {
  method: "POST",
  headers: { Authorization: `Basic ${btoa("broker:")}`, "Content-Type": "application/json" },
  body: '{"data": {}}',
});
const clock = ((await made.json()) as { data: { id: string } }).data.id;

/** Commands to run before an example, by a pattern in its text. */
const BEFORE: readonly (readonly [RegExp, string])[] = [
  [
    /accounts-file|ACCOUNTS_FILE|account (list|revoke|add-key|keys|retire-key)/,
    "npx --no-install tenderhall account add acme --levels 12",
  ],
  [/account retire-key/, "npx --no-install tenderhall account add-key acme"],
  [/tender replace/, "npx --no-install tenderhall tender show 0b2e... --raw > tender.json"],
  [/^DATA_DIR=\S+ npx --no-install tenderhall restore/, "npx --no-install tenderhall backup /backup/tenderhall"],
  [/auction replay record.json/, `curl -sf ${world.url}/api/2.5/auctions/${ended.id}/record -o record.json`],
  [/tenderhall (import ledger|ocds rebuild)/, "npx --no-install tenderhall export --secrets --to ledger.jsonl"],
  // It needs a registry whose server is stopped.
  [/ocds rebuild/, "export DATA_DIR=./stopped; npx --no-install tenderhall import ledger.jsonl"],
];

const names = {
  // A small number is enough to see that it works.
  "tenderhall demo --tenders 30": "tenderhall demo --tenders 3",
  "tenderhall demo\n": "tenderhall demo --tenders 3\n",
  "auction show 0b2e...": `auction show ${running.id}`,
  "auction watch 0b2e...": `auction watch ${running.id}`,
  "auction plan 0b2e...": `auction plan ${planned.id}`,
  "auctions/0b2e.../record": `auctions/${ended.id}/record`,
  // The time on the clock of the planned auction is later than that of the example.
  "--at 2026-11-17T11:00:00+02:00": "--at 2026-12-20T11:00:00+02:00",
  "0b2e...": id,
  "5c1f...": clock,
  "UA-2026-11-16-000001": tenderID,
  "https://tenders.example": world.url,
  "--url http://127.0.0.1:8090": `--url ${world.url}`,
  "/backup/tenderhall": "./backup",
  "/tmp/moving": "./moving",
  "/etc/tenderhall/": "./",
  "3b1f05d2c7aa": `$(npx --no-install tenderhall account keys acme --json | sed -E 's/.*"fingerprint": ?"([0-9a-f]+)".*/\\1/;q')`,
  // The completion script of another shell is printed but not evaluated.
  "source <(npx --no-install tenderhall completion zsh)": "npx --no-install tenderhall completion zsh",
};
const environment = { DATA_DIR: world.dataDir, TENDERHALL_URL: world.url };

/** The command has printed something, or written tenders to its mirror. */
const HAS_RESULT = "{ [ -s output ] || [ -s mirror/tenders.jsonl ]; }";

const untilToldToEnd = (
  text: string,
): string => `( export DATA_DIR=./own PORT=0; ${npx("exec ")}${text.trim()} ) > output 2> errors &
for _ in $(seq 600); do ${HAS_RESULT} && break; sleep 0.1; kill -0 $! || { cat output errors; exit 1; }; done
${HAS_RESULT}
kill $!
wait $! || [ $? -eq 143 ]
`;

const OPEN = { startDate: "2020-01-01T00:00:00Z", endDate: "2199-01-01T00:00:00Z" };

/** Publishes tenders while a command runs, because one that follows the feed prints only changes. */
async function publishWhile(running: Promise<unknown>): Promise<void> {
  let isRunning = true;
  const end = () => {
    isRunning = false;
  };
  running.then(end, end);
  for (; isRunning; await waitForNextPoll()) await publish(world.api("2.3"), { title: "Open", tenderPeriod: OPEN });
}

async function runOne({ heading, text }: Sample): Promise<void> {
  const schema = text.includes(DATABASE) ? await openSchema() : undefined;
  const before = BEFORE.filter(([words]) => words.test(text)).map(([, line]) => `{ ${line}; } > /dev/null\n`);
  const itself = GOES_ON.test(text) ? untilToldToEnd(text) : text;
  const script = `${npx()}${before.join("")}${itself}`.replaceAll(
    DATABASE,
    `DATA_DIR=./moved DATABASE_URL='${schema?.url}'`,
  );
  try {
    const running = runSamples([{ heading, language: "sh", note: undefined, text: script }], { names, environment });
    if (GOES_ON.test(text)) await publishWhile(running);
    await running;
  } finally {
    await schema?.drop();
  }
}

describe("the example of a command", { concurrency: 3 }, () => {
  assert.ok(samples.length > 30);
  for (const sample of samples) {
    const noDatabase = sample.text.includes(DATABASE) && !hasPostgres;
    const skip = missingPrograms("bash") || (noDatabase && "there is no PostgreSQL: set TEST_DATABASE_URL");
    it(`works: ${sample.text.trim().split("\n")[0]}`, { skip }, () => runOne(sample));
  }
});
