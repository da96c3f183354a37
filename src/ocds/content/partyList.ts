import type { Address, ContactPoint, Identifier, Organization, ProcuringEntity } from "../../domain/model/tender.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import { compact, distinctBy, textsOf, webAddressOf } from "./fieldValues.ts";

/** The organisations of a tender. OCDS describes each of them once, in `parties`; everything else refers to them by id. */

/** Collects the organisations that the content of a tender refers to. */
export type PartyList = {
  /**
   * A reference to an organisation, which is added to the list. `place` says where the organisation is in the tender, such as
   * `bids/ID/1`. It is the id of an organisation without an identifier.
   */
  readonly refer: (organization: Organization, place: string) => OcdsObject;
  /** The organisations in the order of their first reference, without roles. */
  readonly parties: () => readonly OcdsObject[];
};

/**
 * An empty list of organisations. If an organisation occurs several times, its first description is used, and every reference has the
 * name in it: a tender may write the same organisation differently in each place.
 */
export function openPartyList(): PartyList {
  const parties = new Map<string, OcdsObject>();
  return {
    refer: (organization, place) => {
      const id = organizationKey(organization) ?? place;
      const party = parties.get(id) ?? partyOf(id, organization);
      parties.set(id, party);
      return compact({ id, name: party.name });
    },
    parties: () => [...parties.values()],
  };
}

/** References to several organisations, each once. */
export const referAll = (
  { refer }: PartyList,
  organizations: readonly Organization[] | undefined,
  place: string,
): readonly OcdsObject[] =>
  distinctBy(
    (organizations ?? []).map((organization, i) => refer(organization, `${place}/${i + 1}`)),
    ({ id }) => String(id),
  );

/** The name of an organisation. Some have only the one in their register, and some have none: they are named by their id. */
function nameOf(id: string, { name, identifier }: Organization): string {
  const { given, registered } = compact({ given: name, registered: identifier?.legalName });
  return String(given ?? registered ?? id);
}

const partyOf = (id: string, organization: ProcuringEntity): OcdsObject =>
  compact({
    id,
    ...textsOf(organization, "name"),
    name: nameOf(id, organization),
    identifier: identifierOf(organization.identifier),
    additionalIdentifiers: distinctBy(
      (organization.additionalIdentifiers ?? []).map(identifierOf).filter(({ id }) => id !== undefined),
      (identifier) => JSON.stringify(identifier),
    ),
    address: postalAddressOf(organization.address),
    contactPoint: contactPointOf(organization.contactPoint),
    kind: organization.kind,
  });

const identifierOf = (identifier: Identifier | undefined): OcdsObject =>
  identifier === undefined
    ? {}
    : compact({
        scheme: identifier.scheme,
        id: identifier.id,
        ...textsOf(identifier, "legalName"),
        uri: webAddressOf(identifier.uri),
      });

/** A postal address. */
export const postalAddressOf = (address: Address | undefined): OcdsObject =>
  address === undefined
    ? {}
    : compact({
        streetAddress: address.streetAddress,
        locality: address.locality,
        region: address.region,
        postalCode: address.postalCode,
        ...textsOf(address, "countryName"),
      });

const contactPointOf = (contactPoint: ContactPoint | undefined): OcdsObject =>
  contactPoint === undefined
    ? {}
    : compact({
        ...textsOf(contactPoint, "name"),
        email: contactPoint.email,
        telephone: contactPoint.telephone,
        faxNumber: contactPoint.faxNumber,
        url: webAddressOf(contactPoint.url),
      });
