import { type Actor, isIn, owns } from "./actors.ts";
import { inMoneyOf } from "./bidding.ts";
import { checkValue, inside, required } from "./checking.ts";
import type { Command, Context } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { checkItems, withItems } from "./itemLists.ts";
import { merge } from "./merge.ts";
import { accepts } from "./procedures/index.ts";
import { makeAward, qualify } from "./qualifying.ts";
import type { Decided } from "./refusals.ts";
import { forbidden, invalid, notFound, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Award, Tender } from "./tender.ts";
import { windowOf } from "./windows.ts";

/** In the basic procedure the tender's owner records who is awarded and who is not. */

const mayAward = (actor: Actor, tender: Tender): boolean => isIn(actor, "admins") || owns(actor, tender);

export function recordAward(
  tender: Tender,
  command: Extract<Command, { kind: "record award" }>,
  context: Context,
): Decided<Outcome> {
  if (tender.procedure !== "basic") return makeAward(tender, command, context);
  const { sent } = command;
  const { actor, at, newId } = context;
  if (!mayAward(actor, tender)) return forbidden();
  const fields = inMoneyOf(tender, withItems(sent.fields, tender, newId));
  const wrong = invalid(sent.problems, [
    ...required(fields, [], "status"),
    ...inside(fields.value, ["value"], checkValue),
    ...checkItems(fields.items, tender),
  ]);
  if (wrong) return wrong;
  if (!accepts(tender, "record award"))
    return wrongStatus("create award", "tender", tender, windowOf(tender, "record award"));
  const award: Award = { ...fields, status: fields.status!, id: newId(), date: at, documents: [], complaints: [] };
  return ok({ tender: { ...tender, awards: [...tender.awards, award] }, id: award.id });
}

const DECISIONS: { readonly [from in Award["status"]]: readonly Award["status"][] } = {
  pending: ["active", "unsuccessful", "cancelled"],
  active: ["cancelled"],
  unsuccessful: ["cancelled"],
  cancelled: [],
};

export function changeAward(
  tender: Tender,
  command: Extract<Command, { kind: "change award" }>,
  context: Context,
): Decided<Outcome> {
  if (tender.procedure !== "basic") return qualify(tender, command, context);
  const { award: id, sent } = command;
  const { actor, at, newId } = context;
  const award = tender.awards.find((one) => one.id === id);
  if (!award) return notFound("award");
  if (!mayAward(actor, tender)) return forbidden();
  const merged = inMoneyOf(tender, withItems(merge<Award>(award, sent.fields), tender, newId));
  const changed: Award = merged.status === award.status ? merged : { ...merged, date: at };
  const wrong = invalid(sent.problems, [
    ...inside(changed.value, ["value"], checkValue),
    ...checkItems(changed.items, tender),
  ]);
  if (wrong) return wrong;
  if (!accepts(tender, "change award"))
    return wrongStatus("update award", "tender", tender, windowOf(tender, "change award"));
  if (changed.status !== award.status && !DECISIONS[award.status].includes(changed.status))
    return wrongStatus("update award", "itself", award);
  return ok({ tender: { ...tender, awards: tender.awards.map((one) => (one === award ? changed : one)) }, id });
}
