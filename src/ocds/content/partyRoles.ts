import { isOcdsList, type OcdsObject, type OcdsValue, objectAt, objectsIn, textAt } from "../ocdsValues.ts";
import { compact } from "./fieldValues.ts";

/** The roles of organisations, as the references to them say. */

export const PARTY_ROLES = ["buyer", "procuringEntity", "tenderer", "supplier", "enquirer", "complainant"] as const;
export type PartyRole = (typeof PARTY_ROLES)[number];

/** Whether a code is one of the roles that we give. */
export const isPartyRole = (code: unknown): code is PartyRole => PARTY_ROLES.some((role) => role === code);

/** The roles of a party. */
export const rolesOf = ({ roles }: OcdsObject): readonly OcdsValue[] => (isOcdsList(roles) ? roles : []);

/** A reference to an organisation, the role that it gives, and where it is. */
export type PartyReference = {
  readonly id: string;
  readonly name: string | undefined;
  readonly role: PartyRole;
  readonly path: string;
};

/**
 * Whether this is what is left of a reference that was removed. Every organisation has a name, and so has every reference that says
 * something. Merging cannot remove a reference from a list, only its name.
 */
export const isVoidReference = (reference: OcdsObject): boolean => textAt(reference, "name") === undefined;

/** Every reference to an organisation in a release, also the void ones, which have no name. */
export function partyReferences(release: OcdsObject): readonly PartyReference[] {
  const references: PartyReference[] = [];
  const add = (role: PartyRole, path: string, reference: OcdsObject) => {
    const id = textAt(reference, "id");
    if (id !== undefined) references.push({ id, name: textAt(reference, "name"), role, path });
  };
  const addAll = (role: PartyRole, path: string, list: unknown) => {
    for (const [i, reference] of objectsIn(list).entries()) add(role, `${path}/${i}`, reference);
  };
  const addAuthors = (role: PartyRole, path: string, list: unknown) => {
    for (const [i, authored] of objectsIn(list).entries())
      add(role, `${path}/${i}/author`, objectAt(authored, "author"));
  };
  const tender = objectAt(release, "tender");
  add("buyer", "/buyer", objectAt(release, "buyer"));
  add("procuringEntity", "/tender/procuringEntity", objectAt(tender, "procuringEntity"));
  addAll("tenderer", "/tender/tenderers", tender.tenderers);
  addAuthors("enquirer", "/tender/enquiries", tender.enquiries);
  addAuthors("complainant", "/tender/complaints", tender.complaints);
  for (const [i, bid] of objectsIn(objectAt(release, "bids").details).entries())
    addAll("tenderer", `/bids/details/${i}/tenderers`, bid.tenderers);
  for (const [i, award] of objectsIn(release.awards).entries()) {
    addAll("supplier", `/awards/${i}/suppliers`, award.suppliers);
    addAuthors("complainant", `/awards/${i}/complaints`, award.complaints);
  }
  for (const [i, contract] of objectsIn(release.contracts).entries())
    addAll("supplier", `/contracts/${i}/suppliers`, contract.suppliers);
  return references;
}

/**
 * The content with the roles of its parties: exactly those that references give them, in a fixed order. Void references count, because
 * analysts reject a reference to a party without its role.
 */
export function withRoles(content: OcdsObject): OcdsObject {
  const roles = new Map<string, Set<PartyRole>>();
  for (const { id, role } of partyReferences(content)) roles.set(id, (roles.get(id) ?? new Set()).add(role));
  const parties = objectsIn(content.parties).map(({ roles: _before, ...party }) => {
    const held = roles.get(textAt(party, "id") ?? "");
    return { ...party, ...compact({ roles: PARTY_ROLES.filter((role) => held?.has(role)) }) };
  });
  return { ...content, ...compact({ parties }) };
}
