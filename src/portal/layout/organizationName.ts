import type { Organization } from "../../domain/model/tender.ts";
import type { Language } from "./languages.ts";
import { textIn } from "./textIn.ts";

/** The name of an organisation in the language of the page, or that in its register, or its code. */
export const organizationNameIn = (language: Language, organization: Organization | undefined): string | undefined =>
  textIn(language, organization, "name") ??
  textIn(language, organization?.identifier, "legalName") ??
  organization?.identifier?.id;
