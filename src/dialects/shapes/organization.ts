import * as domain from "../../domain/model/tender.ts";
import { arrayOf, field, objectOf, oneOf, type ShapeOf, text, translated } from "../fields.ts";

const NAME = "Name under which the organisation is known. Set by the client.";
const IDENTIFIER = "Entry of the organisation in an official register. Set by the client.";
const CONTACT = "Whom to contact. Set by the client; every member is optional.";

const Organization: ShapeOf<domain.Organization> = {
  ...translated("name", NAME, ["Tasty Ltd", "ООО «Вкусно»"]),
  identifier: field(objectOf("Identifier"), IDENTIFIER),
  additionalIdentifiers: field(arrayOf("Identifier"), "Entries in other registers. Set by the client.", {
    scheme: "UA-IPN",
    id: "001372526655",
  }),
  address: field(objectOf("Address"), "Postal address of the organisation. Set by the client."),
  contactPoint: field(objectOf("ContactPoint"), CONTACT),
};

export const organizationShapes = {
  Organization,
  ProcuringEntity: {
    ...Organization,
    ...translated("name", NAME, ["School 10", "Школа № 10"]),
    identifier: field(objectOf("Identifier"), IDENTIFIER, {
      id: "21725150",
      legalName: "Vinnytsia General Secondary School No 10",
      uri: "https://school10.example/",
    }),
    contactPoint: field(objectOf("ContactPoint"), CONTACT, {
      name: "Svitlana Kutsa",
      email: "kutsa@school10.example",
      url: "https://school10.example/contacts",
    }),
    kind: field(
      oneOf(domain.ENTITY_KINDS),
      "Kind of buyer. Set by the owner on creation, `general` if absent; only an administrator can change it later.",
      "general",
    ),
  } satisfies ShapeOf<domain.ProcuringEntity>,
  Identifier: {
    scheme: field(
      text,
      "Code of the register that issued `id`, as in the Org-id.guide list. Any non-empty text. Set by the client.",
      "UA-EDR",
    ),
    id: field(text, "Number of the organisation in that register. Set by the client.", "00137256"),
    ...translated("legalName", "Name under which the organisation is registered. Set by the client.", [
      "Tasty Limited Liability Company",
      "Общество с ограниченной ответственностью «Вкусно»",
    ]),
    uri: field(
      text,
      "Address of the organisation's entry or site, http or https. Set by the client.",
      "https://tasty.example/",
    ),
  } satisfies ShapeOf<domain.Identifier>,
  Address: {
    ...translated("countryName", "Name of the country. Required wherever an address is sent under `belowThreshold`.", [
      "Ukraine",
      "Украина",
    ]),
    region: field(text, "Region or province. Set by the client.", "Vinnytsia region"),
    locality: field(text, "City, town or village. Set by the client.", "Vinnytsia"),
    postalCode: field(text, "Postal code, as it is written in the country. Set by the client.", "21027"),
    streetAddress: field(text, "Street, house and room. Set by the client.", "22 Stakhurskoho St"),
  } satisfies ShapeOf<domain.Address>,
  ContactPoint: {
    ...translated("name", "Name of a person or a department. Set by the client.", ["Olena Koval", "Елена Коваль"]),
    email: field(text, "E-mail address. Checked for its form; set by the client.", "olena@tasty.example"),
    telephone: field(text, "Telephone number, in any notation. Set by the client.", "+380 432 465302"),
    faxNumber: field(text, "Fax number, in any notation. Set by the client.", "+380 432 465303"),
    url: field(
      text,
      "Address of a page with contacts, http or https. Set by the client.",
      "https://tasty.example/contacts",
    ),
  } satisfies ShapeOf<domain.ContactPoint>,
};
