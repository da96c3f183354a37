import { isPlainObject } from "../domain/values/merge.ts";
import { field, objectOf, text } from "./fields.ts";
import type { ShapeChange, VersionChange } from "./versionChange.ts";

const IDENTITY = "Who the organisation is: its name and its entry in an official register. Set by the client.";

/**
 * Organisations were `{id: {name, scheme, uid, uri}, address}`. The old name stands for both the name and the legal name,
 * unless these already differ: then it is the name alone, and the legal name, which an old client cannot see, stays.
 */
const organization: ShapeChange = {
  keep: ["address"],
  add: { id: field(objectOf("OldIdentifier"), IDENTITY) },
  standsFor: { id: ["name", "identifier"] },
  toOlder: ({ name, identifier, ...rest }) => {
    const { id: uid, scheme, legalName, uri } = isPlainObject(identifier) ? identifier : {};
    return { ...rest, id: { name: name ?? legalName, scheme, uid, uri } };
  },
  toNewer: (older, current) => {
    const { id, ...rest } = older;
    if (id === undefined) return older;
    const { name, uid, ...same } = isPlainObject(id) ? id : { name: null, uid: null, scheme: null, uri: null };
    const legalName = isPlainObject(current?.identifier) ? current.identifier.legalName : undefined;
    const namesBoth = legalName === undefined || legalName === (current?.name ?? legalName);
    const sentBack = legalName !== undefined && current?.name === undefined && name === legalName;
    return {
      ...rest,
      ...(name !== undefined && !sentBack && { name }),
      identifier: {
        ...same,
        ...(uid !== undefined && { id: uid }),
        ...(name !== undefined && namesBoth && { legalName: name }),
      },
    };
  },
  paths: {
    name: "id.name",
    "identifier.id": "id.uid",
    "identifier.legalName": "id.name",
    identifier: "id",
  },
};

export const to0_2: VersionChange = {
  why: "0.2 lists `itemsToBeProcured` with their unit as a word, holds an organisation's identity in `id`, and calls those who bid `bidders`",
  shapes: {
    Tender: {
      rename: { items: "itemsToBeProcured" },
      add: {
        awardPeriod: field(
          objectOf("Period"),
          "When the buyer means to award. Set by the owner; may not start before bidding ends.",
          {
            startDate: "2026-12-01T10:00:00+02:00",
            endDate: "2026-12-15T10:00:00+02:00",
          },
        ),
        deliveryDate: field(objectOf("Period"), "When everything is to be delivered. Set by the owner.", {
          startDate: "2027-01-11T00:00:00+02:00",
          endDate: "2027-05-28T00:00:00+03:00",
        }),
      },
      toOlder: ({ plannedAwardPeriod: awardPeriod, ...rest }) => ({ ...rest, awardPeriod }),
      toNewer: ({ awardPeriod: planned, ...rest }) =>
        planned === undefined ? rest : { ...rest, plannedAwardPeriod: planned },
      paths: { plannedAwardPeriod: "awardPeriod" },
    },
    Item: {
      keep: ["description", "classification", "additionalClassifications", "quantity"],
      rename: { classification: "primaryClassification", additionalClassifications: "additionalClassification" },
      add: {
        unitOfMeasure: field(text, "Name of the unit in which `quantity` is counted. Set by the owner.", "month"),
      },
      documentation: { quantity: { description: "How many units are procured: a decimal. Set by the owner." } },
      standsFor: { unitOfMeasure: ["unit"] },
      toOlder: ({ unit, ...rest }) => (isPlainObject(unit) ? { ...rest, unitOfMeasure: unit.name } : rest),
      toNewer: (older) => {
        const { unitOfMeasure, ...rest } = older;
        return "unitOfMeasure" in older ? { ...rest, unit: { name: unitOfMeasure } } : rest;
      },
      paths: { "unit.name": "unitOfMeasure", unit: "unitOfMeasure" },
    },
    Organization: organization,
    ProcuringEntity: {
      ...organization,
      add: {
        id: field(objectOf("OldIdentifier"), IDENTITY, {
          name: "School 10",
          uid: "21725150",
          uri: "https://school10.example/",
        }),
      },
    },
    Bid: { rename: { tenderers: "bidders", value: "totalValue" } },
  },
  added: {
    OldIdentifier: {
      description: "Who an organisation is.",
      fields: {
        name: field(text, "Name of the organisation. Set by the client.", "Tasty Ltd"),
        scheme: field(text, "Code of the register that issued `uid`. Set by the client.", "UA-EDR"),
        uid: field(text, "Number of the organisation in that register. Set by the client.", "00137256"),
        uri: field(text, "Address of the organisation's entry or site. Set by the client.", "https://tasty.example/"),
      },
    },
  },
};
