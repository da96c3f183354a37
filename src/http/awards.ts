import type { AwardSent, Command } from "../domain/commands.ts";
import type { Award, Tender } from "../domain/tender.ts";
import type { Answer } from "./answers.ts";
import { complaintLinked } from "./complaintLinks.ts";
import { withLinks } from "./documents.ts";
import { change, created, type Exchange, found, foundAll, withNewAward } from "./exchange.ts";

const awardOf = (tender: Tender, id: string): Award => tender.awards.find((award) => award.id === id)!;

/** An award with the addresses of its documents, and of those of the complaints about it. */
export function linkedAward(tender: Tender, award: Award): unknown {
  const path = `/tenders/${tender.id}/awards/${award.id}`;
  const complaints = award.complaints.map((complaint) => complaintLinked(complaint, path));
  return { ...award, documents: withLinks(award.documents, path), complaints };
}

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

export async function recordAward(exchange: Exchange): Promise<Answer> {
  const sent = exchange.dialect.readNew<AwardSent>("Award", exchange.body!.data);
  return change(exchange, "Award", { kind: "record award", sent }, ({ tender, id }) =>
    created(exchange, "Award", linkedAward(tender, awardOf(tender, id!)), id!),
  );
}

export async function changeAward(exchange: Exchange): Promise<Answer> {
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
