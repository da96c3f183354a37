import { decimal } from "../../src/domain/values/decimal.ts";
import { MINUTE } from "../../src/domain/values/time.ts";
import { AUCTION, BIDDER, OWNER, type Scene } from "./decisions.ts";
import { complain, decideSupplier, direct, supplier } from "./directScenes.ts";
import {
  addDocument,
  answerQuestion,
  askQuestion,
  cancelTender,
  DEADLINE,
  editTender,
  finishAuction,
  LOT_A,
  LOT_B,
  onBoth,
  TENDERING,
  twoLots,
} from "./domainCommands.ts";
import { releasesOfScenes } from "./ocdsWalks.ts";
import { decided, lastAward, placed, plain, published, signed, standStillEndOf } from "./scenes.ts";

/**
 * Stories of tenders whose releases are stored in `test/fixtures/releases.jsonl`. Releases are made again after a restore, so a change of
 * what they say changes releases that were already published: see decision 30.
 */

/** The file of the releases, one for each line. */
export const GOLDEN_FILE = "test/fixtures/releases.jsonl";

const later = (scene: Scene): Scene => scene.later(MINUTE);

/** The scenes that a tender goes through, each made from the one before. */
function scenesFrom(start: Scene, ...steps: readonly ((scene: Scene) => Scene)[]): readonly Scene[] {
  const scenes = [start];
  for (const step of steps) scenes.push(step(scenes.at(-1) ?? start));
  return scenes;
}

/** The auction lowers the price of the first bid. */
function auctionOver(scene: Scene): Scene {
  const [first, ...others] = scene.stored.bids;
  const lowered = { id: first?.id, value: { amount: decimal("350") }, date: scene.now };
  return scene.send(AUCTION, finishAuction({ bids: [lowered, ...others.map(({ id }) => ({ id }))] }));
}

const STORIES: { readonly [story: string]: () => readonly Scene[] } = {
  "two lots, from publication to contracts": () =>
    scenesFrom(
      published(twoLots),
      (scene) => later(scene).send(BIDDER, askQuestion()),
      (scene) => later(scene).send(OWNER, answerQuestion(scene.tender.questions[0]?.id ?? "", "Так")),
      (scene) => later(scene).send(OWNER, editTender({ title: "Інша назва" })),
      (scene) => later(scene).send(OWNER, addDocument()),
      (scene) => placed(scene.at(TENDERING), [onBoth("900", "800"), onBoth("700", "850")]),
      (scene) => scene.at(DEADLINE).tick(),
      (scene) => later(scene).send(AUCTION, finishAuction({}, LOT_A)),
      (scene) => later(scene).send(AUCTION, finishAuction({}, LOT_B)),
      (scene) => decided(later(scene), "active", LOT_A),
      (scene) => decided(later(scene), "active", LOT_B),
      (scene) => signed(scene, 0),
      (scene) => signed(later(scene), 1),
    ),
  "an auction and a rejected bid, without a contract": () =>
    scenesFrom(
      placed(published().at(TENDERING), ["400", "500"]),
      (scene) => later(scene.at(DEADLINE).tick()),
      auctionOver,
      (scene) => decided(later(scene), "unsuccessful"),
      (scene) => decided(later(scene), "unsuccessful"),
      (scene) => scene.at(standStillEndOf(scene)).tick(),
    ),
  "cancelled while bids are sealed": () =>
    scenesFrom(published(), (scene) => placed(scene.at(TENDERING), ["400", "500"]).send(OWNER, cancelTender)),
  "cancelled after the award": () =>
    scenesFrom(
      placed(published().at(TENDERING), ["400"]),
      (scene) => later(scene.at(DEADLINE).tick()),
      (scene) => decided(later(scene), "active"),
      (scene) => later(scene).send(OWNER, cancelTender),
    ),
  "a negotiation with a complaint": () =>
    scenesFrom(
      direct("negotiation"),
      (scene) => later(scene).send(OWNER, supplier({ qualified: true })),
      (scene) => decideSupplier(later(scene), { status: "active" }),
      (scene) => later(scene).send(BIDDER, complain(lastAward(scene).id)),
    ),
  "a recorded purchase": () => scenesFrom(direct("reporting"), (scene) => later(scene).send(OWNER, supplier())),
  "an amount in a currency that OCDS does not know": () => [
    plain({ value: { amount: decimal("1"), currency: "XYZ" } }),
  ],
};

/** Ids are counted in each process, so the same story has other ids if something else was made before. */
const GENERATED_ID = /[0-9a-f]{32}/g;

function withStableIds(text: string): string {
  const ids = new Map<string, string>();
  return text.replaceAll(GENERATED_ID, (id) => {
    const stable = ids.get(id) ?? (ids.size + 1).toString(16).padStart(id.length, "0");
    ids.set(id, stable);
    return stable;
  });
}

/** The releases of a story, one for each line, as the code makes them now. */
const linesOf = (story: string, scenes: readonly Scene[]): readonly string[] =>
  withStableIds(
    releasesOfScenes(scenes)
      .map((release) => JSON.stringify({ story, release }))
      .join("\n"),
  ).split("\n");

/** The content of `GOLDEN_FILE` as the code makes it now, line by line. */
export const goldenLines = (): readonly string[] =>
  Object.entries(STORIES).flatMap(([story, scenesOf]) => linesOf(story, scenesOf()));
