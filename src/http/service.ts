import type { Config } from "../config.ts";
import type { Dialect } from "../dialects/dialects.ts";
import type { Instant } from "../domain/time.ts";
import type { Files } from "../files/files.ts";
import type { Registry } from "../registry/registry.ts";
import type { Webhooks } from "../registry/webhooks/webhooks.ts";
import type { BodyBudget } from "./bodyBudget.ts";
import type { DocumentKeys } from "./documentKeys.ts";
import type { Oversight } from "./oversight.ts";
import type { Streams } from "./stream/streams.ts";
import type { Uploads } from "./uploads.ts";

/** All parts of the running service, assembled once at the start. Only the server and the router know all of them. */
export type Service = {
  readonly config: Config;
  readonly registry: Registry;
  readonly files: Files;
  readonly bodies: BodyBudget;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
  readonly streams: Streams;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly clock: () => Instant;
  readonly oversight: Oversight;
  readonly webhooks: Webhooks;
};
