import type { AwardSent, Command } from "../domain/commands.ts";
import type { Award, Tender } from "../domain/tender.ts";
import { linkedAward } from "../views/publicTender.ts";
import type { Answer } from "./answers.ts";
import { created, found, foundAll } from "./dataResponses.ts";
import type { Exchange } from "./exchange.ts";
import { change, type RegistryPort, withNewAward } from "./runCommand.ts";

const awardOf = (tender: Tender, id: string): Award => tender.awards.find((award) => award.id === id)!;

export async function listAwards(exchange: Exchange): Promise<Answer> {
  const tender = exchange.tender!;
  return foundAll(
    exchange,
    "Award",
    tender.awards.map((award) => linkedAward(tender, award)),
  );
}

export async function showAward(exchange: Exchange): Promise<Answer> {
  return found(exchange, "Award", linkedAward(exchange.tender!, awardOf(exchange.tender!, exchange.params.award_id!)));
}

export async function recordAward(exchange: Exchange<RegistryPort>): Promise<Answer> {
  const sent = exchange.dialect.readNew<AwardSent>("Award", exchange.body!.data);
  return change(exchange, "Award", { kind: "record award", sent }, ({ tender, id }) =>
    created(exchange, "Award", linkedAward(tender, awardOf(tender, id!)), id!),
  );
}

export async function changeAward(exchange: Exchange<RegistryPort>): Promise<Answer> {
  const { params, dialect, body } = exchange;
  const award = params.award_id!;
  const read = (tender: Tender): Command => {
    const sent = dialect.readPatch<AwardSent>("Award", body!.data, awardOf(tender, award));
    return { kind: "change award", award, sent };
  };
  return change(exchange, "Award", { read }, (done) =>
    withNewAward(exchange, done, found(exchange, "Award", linkedAward(done.tender, awardOf(done.tender, award)))),
  );
}
