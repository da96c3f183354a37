import type { Body, ExampleRequest, Recorder } from "./recorder.ts";
import type { ExampleRegistry } from "./registry.ts";

/** Who takes part in the story, and what they own. */

export type Story = {
  readonly recorder: Recorder;
  readonly registry: ExampleRegistry;
  /** Whether the auction reports prices with PATCH, as it did before the newest version. */
  readonly auctionPatchesPrices: boolean;
  readonly hasHistory: boolean;
};

export const BUYER = "broker";
export const SUPPLIER = "broker2";
export const TENDER = "/tenders/{tender_id}";

/** An object that somebody owns: what it takes to change it. */
export type OwnedObject = {
  readonly ids: { readonly [name: string]: string };
  readonly key: string;
  readonly token: string;
};

/** Awards have a longer name for their id in older versions. */
export const idOf = ({ data }: Body): string => data.id ?? data.awardID;

/** Creates something, shows its id as that of the examples, and returns what it takes to change it. */
export async function create(
  { send, show }: Recorder,
  operation: string,
  param: string,
  shown: string | undefined,
  request: ExampleRequest & { readonly key: string },
): Promise<OwnedObject> {
  const { body } = await send(operation, request);
  const id = idOf(body);
  if (shown) show(shown, id);
  return { ids: { ...request.ids, [param]: id }, key: request.key, token: body.access?.token ?? request.token };
}
