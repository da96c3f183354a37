import type { Client, DocumentParent, Tender, TenderSent } from "../../client/index.ts";
import type { RemoteRegistry } from "../remote.ts";
import type { SampleFile } from "./sampleFiles.ts";

/** A tender of the demo and its participants. Each has a client of their own, which has the tokens of what they created. */
export type TenderScene = {
  readonly id: string;
  /** The client that created the tender. */
  readonly buyer: Client;
  /** The client of another account, by its key. */
  readonly participant: (key: string) => Client;
  /** The tender as its owner sees it. */
  readonly fetchTender: () => Promise<Tender>;
  /** Uploads a document to the tender or to one of its resources. */
  readonly attach: (client: Client, parent: Omit<DocumentParent, "tender">, file: SampleFile) => Promise<void>;
};

/** The options of `publishScene`. */
export type PublishOptions = {
  readonly remote: RemoteRegistry;
  readonly clock: string;
  readonly version: string;
  readonly key: string;
};

/** Creates a tender on a test clock. */
export async function publishScene(
  { remote, clock, version, key }: PublishOptions,
  tender: TenderSent,
): Promise<TenderScene> {
  const buyer = remote.as({ key, version });
  const { id } = (await buyer.tenders.create(tender, { clock })).data;
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
    attach: async (uploader, parent, { name, type, content }) => {
      await uploader.documents.upload({ tender: id, ...parent }, content, { name, type });
    },
  };
}
