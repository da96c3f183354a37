import type { PublicTender } from "../../views/publicTender.ts";
import type { PartyList } from "./partyList.ts";

/** What the content of a tender depends on besides the tender. */
export type ContentSettings = {
  /** The address of the service, such as https://tenders.example, without a slash at its end. */
  readonly origin: string;
  /** The address of the version of the API that documents are downloaded from, such as https://tenders.example/api/2.5. */
  readonly apiRoot: string;
};

/** What the parts of the content are made from. */
export type ContentContext = ContentSettings & { readonly tender: PublicTender; readonly parties: PartyList };

/** The absolute address for a path below the address of the service; other texts stay as they are. */
export const absoluteAddress = ({ origin }: ContentSettings, text: string | undefined): string | undefined =>
  text?.startsWith("/") ? origin + text : text;
