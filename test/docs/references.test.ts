import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SEGMENTS } from "../../src/dialects/dialects.ts";
import type { Instant } from "../../src/domain/values/time.ts";
import { referenceOf, samplesIn } from "../support/htmlPages.ts";
import { missingPrograms } from "../support/programs.ts";
import { runSamples } from "../support/samples.ts";
import { openWorld } from "../support/world.ts";

/** Sends the samples of the reference in the order of a procedure. All of them succeed. */

const nextYear = new Date().getFullYear() + 1;
const at = (text: string): Instant => Date.parse(text) * 1000;
/** In the example, enquiries end on the first of March and the tender period on the fifteenth. */
const BIDDING = at(`${nextYear}-03-02T12:00:00Z`);
const DECIDING = at(`${nextYear}-03-16T12:00:00Z`);

const ASKING = [
  "post_tenders -> TENDER_ID TOKEN",
  "get_tenders_tender_id",
  "patch_tenders_tender_id",
  "post_tenders_tender_id_questions -> QUESTION_ID",
  "get_tenders_tender_id_questions",
  "get_tenders_tender_id_questions_question_id",
  "patch_tenders_tender_id_questions_question_id",
  "post_tenders_tender_id_documents -> DOCUMENT_ID",
  "get_tenders_tender_id_documents",
  "get_tenders_tender_id_documents_document_id",
  "put_tenders_tender_id_documents_document_id",
  "patch_tenders_tender_id_documents_document_id",
];
const BIDS = ["post_tenders_tender_id_bids -> BID_ID TOKEN", "patch_tenders_tender_id_bids_bid_id"];
const AWARDS = [
  "get_tenders_tender_id_bids",
  "get_tenders_tender_id_bids_bid_id",
  "get_tenders_tender_id_awards -> AWARD_ID",
  "get_tenders_tender_id_awards_award_id",
  "patch_tenders_tender_id_awards_award_id",
];
/** The basic procedure, in which the owner records the awards. */
const RECORDED = [
  ...AWARDS.slice(0, 2),
  "post_tenders_tender_id_awards -> AWARD_ID",
  "get_tenders_tender_id_awards",
  ...AWARDS.slice(3),
];

/** Each sample with its expected status, and the variables that later ones need from its response. */
function scriptOf(steps: readonly string[], samples: ReadonlyMap<string, string>): string {
  const lines = steps.flatMap((step): string[] => {
    const [operation, names = ""] = step.split(" -> ");
    const sample = samples.get(operation!);
    assert.ok(sample, `there is no ${operation}`);
    const [id, token] = names.split(" ");
    return [
      `CODE=$(${sample.replace(/^curl -s/, "curl -s -o answer.json -w '%{http_code}'")})`,
      `case $CODE in 2??) ;; *) echo "${operation}: $CODE $(cat answer.json)" >&2; exit 1 ;; esac`,
      ...(id ? [`${id}=$(told '[data].flat()[0].id ?? [data].flat()[0].awardID')`] : []),
      ...(token ? [`${token}=$(told access.token)`] : []),
    ];
  });
  return `told() { node -p "const { data, access } = JSON.parse(fs.readFileSync('answer.json', 'utf8')); $1"; }
${lines.join("\n")}
`;
}

const skip = missingPrograms("bash", "curl");

describe("the samples of the reference", { concurrency: 2 }, () => {
  const run = async (text: string, set: { readonly [name: string]: string }): Promise<string> => {
    const head = Object.entries({ BID_ID: "", ...set }).map(([name, value]) => `${name}=${value}\n`);
    const tail = 'echo "$TENDER_ID $TOKEN $BID_ID"';
    const sample = { heading: "", language: "sh", note: undefined, text: `${head.join("")}${text}${tail}\n` };
    const [output] = await runSamples([sample], { names: {}, environment: {} });
    return output!;
  };

  for (const segment of SEGMENTS)
    it(`carry a tender of ${segment} from its publication to an award`, { skip }, async (t) => {
      const world = await openWorld();
      t.after(world.stop);
      const html = await referenceOf(world.url, segment);
      const curlSamples = samplesIn(html).filter(({ language }) => language === "sh");
      const samples = new Map(curlSamples.map(({ id, text }) => [id, text]));
      const [TENDER_ID = "", TOKEN = ""] = (
        await run(`echo terms > terms.txt\n${scriptOf(ASKING, samples)}`, {})
      ).split(" ");
      world.clock.now = BIDDING;
      const [, , BID_ID = ""] = (await run(scriptOf(BIDS, samples), { TENDER_ID, TOKEN })).split(" ");
      world.clock.now = DECIDING;
      const isRecorded = !samples.get("post_tenders")!.includes("belowThreshold");
      await run(scriptOf(isRecorded ? RECORDED : AWARDS, samples), { TENDER_ID, TOKEN, BID_ID: BID_ID.trim() });
    });
});
