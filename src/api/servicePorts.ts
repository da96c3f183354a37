import type { AuctionStreams } from "../auctions/auctionStreams.ts";
import type { PriceLimit } from "../auctions/priceLimit.ts";
import type { Config } from "../config/config.ts";
import type { Dialect } from "../dialects/dialects.ts";
import type { DocumentKeys } from "../documents/documentKeys.ts";
import type { Uploads } from "../documents/uploads.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Streams } from "../feed/stream/streams.ts";
import type { Files } from "../files/files.ts";
import type { BodyBudget } from "../http/bodyBudget.ts";
import type { ParticipationLinks } from "../http/participationLinks.ts";
import type { OpenData } from "../opendata/openData.ts";
import type { Observability } from "../ops/oversight.ts";
import type { Registry } from "../registry/registry.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** All parts of the running service, assembled once at the start. Only the server and the router see all of them. */
export type ServicePorts = {
  readonly config: Config;
  readonly registry: Registry;
  readonly files: Files;
  readonly bodyBudget: BodyBudget;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
  readonly streams: Streams;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly clock: () => Instant;
  readonly observability: Observability;
  readonly webhooks: Webhooks;
  /** Undefined if the registry publishes no open data. */
  readonly openData: OpenData | undefined;
  readonly auctionStreams: AuctionStreams;
  readonly participationLinks: ParticipationLinks;
  readonly priceLimit: PriceLimit;
};
