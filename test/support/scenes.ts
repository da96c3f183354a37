import assert from "node:assert/strict";
import type { Actor } from "../../src/domain/model/actors.ts";
import type { TenderCommand, TenderInput } from "../../src/domain/model/commands.ts";
import type { Award, Bid, TenderStatus } from "../../src/domain/model/tender.ts";
import type { ProcedureName } from "../../src/domain/procedures/names.ts";
import { HOUR, type Instant, SECOND } from "../../src/domain/values/time.ts";
import {
  AUCTION,
  BIDDER,
  broker,
  type Options,
  OWNER,
  RIVAL,
  reasonOf,
  type Scene,
  sceneOf,
  tryToPublish,
} from "./decisions.ts";
import {
  cancelTender,
  DEADLINE,
  decideAward,
  finishAuction,
  placeBid,
  START,
  sent,
  signContract,
  TENDERING,
  tenderFields,
} from "./domainCommands.ts";

// Scenes at every stage of a procedure, reached by ordinary commands and deadlines.

export function publishedAs(procedure: ProcedureName, fields: TenderInput, options: Options = {}): Scene {
  const decided = tryToPublish(OWNER, { procedure, sent: sent(fields) }, START, options);
  if (!decided.ok) assert.fail(`the tender is refused: ${reasonOf(decided.refused)}`);
  return sceneOf(decided.value, START, options);
}

/** The problems that a publication is refused for; empty if it is accepted. */
export function problemsOf(procedure: ProcedureName, fields: TenderInput): readonly string[] {
  const decided = tryToPublish(OWNER, { procedure, sent: sent(fields) }, START);
  return decided.ok ? [] : reasonOf(decided.refused).split("; ");
}

/** A `belowThreshold` tender, in enquiries unless its fields say otherwise. */
export const published = (fields: TenderInput = {}, options?: Options): Scene =>
  publishedAs("belowThreshold", tenderFields(fields), options);

/** A tender of the basic procedure with the same periods. */
export const plain = (fields: TenderInput = {}, options?: Options): Scene =>
  publishedAs(
    "basic",
    { enquiryPeriod: { endDate: TENDERING }, tenderPeriod: { startDate: TENDERING, endDate: DEADLINE }, ...fields },
    options,
  );

/** The bidders, one for each bid. */
export const BIDDERS: readonly Actor[] = [BIDDER, RIVAL, broker("third"), broker("fourth")];

/** The amount of a bid, or the command that places it. */
export type Offer = string | TenderCommand;

export const placed = (scene: Scene, offers: readonly Offer[]): Scene =>
  offers.reduce(
    (current, offer, i) => current.send(BIDDERS[i]!, typeof offer === "string" ? placeBid(offer) : offer).later(SECOND),
    scene,
  );

/** A tender in its tender period, with these bids placed a second apart. */
export const tendering = (offers: readonly Offer[] = [], fields?: TenderInput, options?: Options): Scene =>
  placed(published(fields, options).at(TENDERING), offers);

/** A tender at the very instant of its deadline. The bids decide the next status. */
export const closed = (offers: readonly Offer[], fields?: TenderInput, options?: Options): Scene =>
  tendering(offers, fields, options).at(DEADLINE).tick();

/** A tender in qualification. An auction, if there was one, ended an hour after the deadline without changed prices. */
export function qualifying(offers: readonly Offer[] = ["400"], fields?: TenderInput, options?: Options): Scene {
  const scene = closed(offers, fields, options).later(HOUR);
  if (scene.tender.status !== "active.auction") return scene;
  const lots = scene.tender.lots.filter(({ status }) => status === "active").map(({ id }) => id);
  return (lots.length > 0 ? lots : [undefined]).reduce(
    (current, lot) =>
      current.tender.status === "active.auction" ? current.send(AUCTION, finishAuction({}, lot)) : current,
    scene,
  );
}

export function lastAward({ tender }: Scene, lotID?: string): Award {
  const award = tender.awards.findLast((candidate) => candidate.lotID === lotID);
  assert.ok(award, "there is no award");
  return award;
}

/** The owner decides on the last award of the tender or of a lot. */
export const decided = (scene: Scene, status: Award["status"], lotID?: string): Scene =>
  scene.send(OWNER, decideAward(lastAward(scene, lotID).id, status));

/** A tender whose owner accepted the best bid an hour later. */
export const awarded = (offers: readonly Offer[] = ["400"], fields?: TenderInput, options?: Options): Scene =>
  decided(qualifying(offers, fields, options).later(HOUR), "active");

/** The end of the last stand-still of all awards. */
export const standStillEndOf = ({ tender }: Scene): Instant =>
  Math.max(...tender.awards.flatMap(({ complaintPeriod }) => complaintPeriod?.endDate ?? []));

export const signed = (scene: Scene, at = -1): Scene =>
  scene.at(standStillEndOf(scene)).send(OWNER, signContract(scene.tender.contracts.at(at)!.id));

export const bidOf = ({ stored }: Scene, { account }: Actor): Bid => {
  const bid = stored.bids.find(({ owner }) => owner === account?.name);
  assert.ok(bid, `${account?.name} has no bid`);
  return bid;
};

export const statusesOf = (list: readonly { readonly status: string }[]): readonly string[] =>
  list.map(({ status }) => status);

/** A `belowThreshold` tender in each status. */
export const SCENES: { readonly [status in Exclude<TenderStatus, "active">]: (fields?: TenderInput) => Scene } = {
  draft: (fields) => published({ ...fields, status: "draft" }),
  "active.enquiries": (fields) => published(fields),
  "active.tendering": (fields) => tendering([], fields),
  "active.auction": (fields) => closed(["400", "500"], fields),
  "active.qualification": (fields) => qualifying(["400"], fields),
  "active.awarded": (fields) => awarded(["400"], fields),
  complete: (fields) => signed(awarded(["400"], fields)),
  cancelled: (fields) => published(fields).send(OWNER, cancelTender),
  unsuccessful: (fields) => closed([], fields),
};
export const STATUSES = Object.keys(SCENES) as readonly (keyof typeof SCENES)[];
