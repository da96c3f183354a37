import type { Client, DocumentParent, Tender, TenderSent } from "../../client/index.ts";
import type { RemoteRegistry } from "../remote.ts";
import type { SampleFile } from "./sampleFiles.ts";

/** One tender on a clock, and its people: each has a client of their own, which keeps the tokens of what is theirs. */
export type TenderScene = {
  readonly id: string;
  /** Who published it. */
  readonly buyer: Client;
  /** Who asks, bids and objects, by their key. */
  readonly participant: (key: string) => Client;
  /** As its owner sees it. */
  readonly fetchTender: () => Promise<Tender>;
  readonly attach: (client: Client, to: Omit<DocumentParent, "tender">, paper: SampleFile) => Promise<void>;
};

export type PublishOptions = {
  readonly remote: RemoteRegistry;
  readonly clock: string;
  readonly version: string;
  readonly key: string;
};

export async function publishScene(
  { remote, clock, version, key }: PublishOptions,
  sent: TenderSent,
): Promise<TenderScene> {
  const buyer = remote.as({ key, version });
  const { id } = (await buyer.tenders.create(sent, { clock })).data;
  const participants = new Map<string, Client>();
  return {
    id,
    buyer,
    participant: (participantKey) => {
      const client = participants.get(participantKey) ?? remote.as({ key: participantKey, version });
      participants.set(participantKey, client);
      return client;
    },
    fetchTender: async () => (await buyer.tenders.get(id)).data,
    attach: async (uploader, to, { name, type, content }) => {
      await uploader.documents.upload({ tender: id, ...to }, content, { name, type });
    },
  };
}
