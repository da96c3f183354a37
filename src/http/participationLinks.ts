import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { linkNumberOf } from "../domain/bids/participation.ts";
import type { Bid } from "../domain/model/tender.ts";
import type { Store } from "../store/store.ts";

/**
 * The links with which bidders take part in auctions. Their secrets are derived and not stored: from a key of the registry, the
 * auction, the bid, and how often the links of the bid were replaced.
 */
export type ParticipationLinks = {
  /** The path of the link, below the address of the service. It contains the secret. */
  readonly pathFor: (auction: string, bid: Bid) => string;
  /** Whether this is the secret of the bid's present link. Takes the same time for any text of the same length. */
  readonly isSecretOf: (secret: string, auction: string, bid: Bid) => boolean;
};

const KEY_NAME = "auction link key";
const KEY_BYTES = 32;

/** Opens the links of a registry. The servers of a registry share their key, which is created at the first start. */
export async function openParticipationLinks(secret: Store["secret"]): Promise<ParticipationLinks> {
  const key = await secret(KEY_NAME, () => randomBytes(KEY_BYTES).toString("base64url"));
  const secretFor = (auction: string, bid: Bid): string =>
    createHmac("sha256", key)
      .update(`participation\0${auction}\0${bid.id}\0${linkNumberOf(bid)}`)
      .digest("base64url");
  return {
    pathFor: (auction, bid) => `/auctions/${auction}/login?bidder_id=${bid.id}&signature=${secretFor(auction, bid)}`,
    isSecretOf: (sent, auction, bid) => {
      // The texts are compared: base64 decoding skips characters such as line breaks, which no header may contain.
      const expected = Buffer.from(secretFor(auction, bid));
      const given = Buffer.from(sent);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
