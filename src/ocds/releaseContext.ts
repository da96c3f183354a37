import { compact } from "./content/fieldValues.ts";
import { isPartyRole, type PartyRole, partyReferences, rolesOf } from "./content/partyRoles.ts";
import { mergeContent } from "./merge.ts";
import { type OcdsObject, type OcdsValue, objectAt, objectsIn, textAt } from "./ocdsValues.ts";

/**
 * What a release repeats so that it can be understood, and checked, by itself: for each role of a party a reference to it, and for each
 * contract the status of its award. The roles of a party are replaced as a whole by merging, so a release cannot name only some.
 */
export function withContext(changes: OcdsObject, content: OcdsObject): OcdsObject {
  const referredRoles = new Set(partyReferences(changes).map(({ id, role }) => `${role} ${id}`));
  let release = changes;
  for (const party of objectsIn(changes.parties)) {
    const id = textAt(party, "id") ?? "";
    for (const role of rolesOf(party).filter(isPartyRole))
      if (!referredRoles.has(`${role} ${id}`)) release = mergeContent(release, FIND_REFERENCE[role](id, content));
  }
  return mergeContent(release, awardsOf(release, content));
}

/** The statuses of awards that the contracts of a release are for, unless it has them. */
function awardsOf(release: OcdsObject, content: OcdsObject): OcdsObject {
  const present = new Set(objectsIn(release.awards).flatMap(({ id, status }) => (status === undefined ? [] : [id])));
  const needed = new Set(objectsIn(release.contracts).map(({ awardID }) => awardID));
  const awards = objectsIn(content.awards).filter(({ id }) => needed.has(id) && !present.has(id));
  return compact({ awards: awards.map(({ id, status }) => compact({ id, status })) });
}

/** Finds the least part of the content that refers to the organisation in a role. */
type FindReference = (id: string, content: OcdsObject) => OcdsObject;

const FIND_REFERENCE: { readonly [role in PartyRole]: FindReference } = {
  buyer: (_id, { buyer }) => compact({ buyer }),
  procuringEntity: (_id, content) =>
    tenderPart(content, { procuringEntity: objectAt(content, "tender").procuringEntity }),
  tenderer: (id, content) => {
    const tenderers = referencesTo(objectAt(content, "tender").tenderers, id);
    return tenderers.length > 0
      ? tenderPart(content, { tenderers })
      : compact({ bids: compact({ details: submittedBy(objectAt(content, "bids").details, id) }) });
  },
  enquirer: (id, content) => tenderPart(content, { enquiries: authoredBy(objectAt(content, "tender").enquiries, id) }),
  supplier: (id, content) => {
    const awards = suppliedBy(content.awards, id);
    return awards.length > 0 ? { awards } : compact({ contracts: suppliedBy(content.contracts, id) });
  },
  complainant: (id, content) => {
    const complaints = authoredBy(objectAt(content, "tender").complaints, id);
    if (complaints.length > 0) return tenderPart(content, { complaints });
    const awards = objectsIn(content.awards).map((award) =>
      compact({ id: award.id, complaints: authoredBy(award.complaints, id) }),
    );
    return compact({ awards: awards.filter((award) => award.complaints !== undefined).slice(0, 1) });
  },
};

/** These fields of the section `tender`, with its id. */
const tenderPart = (content: OcdsObject, fields: { readonly [name: string]: OcdsValue | undefined }): OcdsObject => ({
  tender: compact({ id: objectAt(content, "tender").id, ...fields }),
});

/** The first object of a list that the organisation is the author of, without its other fields. */
const authoredBy = (list: OcdsValue | undefined, id: string): readonly OcdsObject[] =>
  objectsIn(list)
    .filter((element) => objectAt(element, "author").id === id)
    .slice(0, 1)
    .map((element) => compact({ id: element.id, author: element.author }));

/** The references of a list that lead to the organisation. */
const referencesTo = (list: OcdsValue | undefined, id: string): readonly OcdsObject[] =>
  objectsIn(list).filter((reference) => reference.id === id);

/** The first bid that the organisation is a tenderer of, without its other fields. */
const submittedBy = (list: OcdsValue | undefined, id: string): readonly OcdsObject[] =>
  objectsIn(list)
    .map((bid) => compact({ id: bid.id, tenderers: referencesTo(bid.tenderers, id) }))
    .filter(({ tenderers }) => tenderers !== undefined)
    .slice(0, 1);

/** The first award or contract that the organisation is a supplier of, without its other fields. */
const suppliedBy = (list: OcdsValue | undefined, id: string): readonly OcdsObject[] =>
  objectsIn(list)
    .map((element) =>
      compact({
        id: element.id,
        awardID: element.awardID,
        suppliers: referencesTo(element.suppliers, id),
      }),
    )
    .filter(({ suppliers }) => suppliers !== undefined)
    .slice(0, 1);
