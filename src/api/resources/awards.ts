import type { AwardInput, TenderCommand } from "../../domain/model/commands.ts";
import type { Award, Tender } from "../../domain/model/tender.ts";
import { createdResponse, listResponse, okResponse } from "../../http/dataResponses.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { changeTender, type RegistryPort, withAwardLocation } from "../../http/runCommand.ts";
import { awardWithLinks } from "../../views/publicTender.ts";

const awardOf = (tender: Tender, id: string): Award => tender.awards.find((award) => award.id === id)!;

export async function listAwards(exchange: Exchange): Promise<HttpResponse> {
  const tender = exchange.tender!;
  return listResponse(
    exchange,
    "Award",
    tender.awards.map((award) => awardWithLinks(tender, award)),
  );
}

export async function showAward(exchange: Exchange): Promise<HttpResponse> {
  return okResponse(
    exchange,
    "Award",
    awardWithLinks(exchange.tender!, awardOf(exchange.tender!, exchange.params.award_id!)),
  );
}

export async function postAward(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const sent = exchange.dialect.readNew<AwardInput>("Award", exchange.body!.data);
  return changeTender(exchange, "Award", { kind: "record award", sent }, ({ tender, id }) =>
    createdResponse(exchange, "Award", awardWithLinks(tender, awardOf(tender, id!)), id!),
  );
}

export async function patchAward(exchange: Exchange<RegistryPort>): Promise<HttpResponse> {
  const { params, dialect, body } = exchange;
  const award = params.award_id!;
  const read = (tender: Tender): TenderCommand => {
    const sent = dialect.readPatch<AwardInput>("Award", body!.data, awardOf(tender, award));
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
