import type { Client, Holder, Tender, TenderSent } from "../../client/index.ts";
import type { Remote } from "../remote.ts";
import type { Paper } from "./papers.ts";

/** One tender on a clock, and its people: each has a client of their own, which keeps the tokens of what is theirs. */
export type Scene = {
  readonly id: string;
  /** Who published it. */
  readonly buyer: Client;
  /** Who asks, bids and objects, by their key. */
  readonly participant: (key: string) => Client;
  /** As its owner sees it. */
  readonly seen: () => Promise<Tender>;
  readonly attach: (who: Client, to: Omit<Holder, "tender">, paper: Paper) => Promise<void>;
};

export type Publishing = {
  readonly remote: Remote;
  readonly clock: string;
  readonly version: string;
  readonly key: string;
};

export async function publish({ remote, clock, version, key }: Publishing, sent: TenderSent): Promise<Scene> {
  const buyer = remote.as({ key, version });
  const { id } = (await buyer.tenders.create(sent, { clock })).data;
  const participants = new Map<string, Client>();
  return {
    id,
    buyer,
    participant: (other) => {
      const known = participants.get(other) ?? remote.as({ key: other, version });
      participants.set(other, known);
      return known;
    },
    seen: async () => (await buyer.tenders.get(id)).data,
    attach: async (who, to, { name, type, content }) => {
      await who.documents.upload({ tender: id, ...to }, content, { name, type });
    },
  };
}
