import type { AwardInput, TenderCommand } from "../../domain/model/commands.ts";
import type { Award, Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { absentFieldsIn } from "../../domain/procedures/optionalFields.ts";
import { createdResponse, listResponse, okResponse } from "../../http/dataResponses.ts";
import { type Exchange, requireData, requireParam, requireTender } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { changeTender, createdId, type RegistryPort, withAwardLocation } from "../../http/runCommand.ts";
import { awardWithLinks } from "../../views/publicTender.ts";
import { itemWithId } from "./collections.ts";

/** The path or the command has already found the award, and awards are never removed. */
const awardOf = (tender: Tender, id: string): Award => itemWithId(tender.awards, id);

export async function listAwards(exchange: Exchange): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  return listResponse(
    exchange,
    "Award",
    tender.awards.map((award) => awardWithLinks(tender, award)),
  );
}

export async function showAward(exchange: Exchange): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  const award = awardOf(tender, requireParam(exchange, "award_id"));
  return okResponse(exchange, "Award", awardWithLinks(tender, award));
}

export async function postAward(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const absent = absentFieldsIn(procedureOf(requireTender(exchange)));
  const sent = exchange.dialect.readNew<AwardInput>("Award", requireData(exchange), absent);
  return changeTender(exchange, "Award", { kind: "record award", sent }, (committed) => {
    const id = createdId(committed);
    return createdResponse(exchange, "Award", awardWithLinks(committed.tender, awardOf(committed.tender, id)), id);
  });
}

export async function patchAward(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const { dialect } = exchange;
  const award = requireParam(exchange, "award_id");
  const data = requireData(exchange);
  const read = (tender: Tender): TenderCommand => {
    const sent = dialect.readPatch<AwardInput>(
      "Award",
      data,
      awardOf(tender, award),
      absentFieldsIn(procedureOf(tender)),
    );
    return { kind: "change award", award, sent };
  };
  return changeTender(exchange, "Award", { read }, (committed) =>
    withAwardLocation(
      exchange,
      committed,
      okResponse(exchange, "Award", awardWithLinks(committed.tender, awardOf(committed.tender, award))),
    ),
  );
}
