import type { Audit } from "../audit.ts";
import type { Family, Metrics } from "./metrics.ts";

/** What those who run the service need to know of it. */
export type Oversight = {
  readonly metrics: Metrics;
  /** Of all processes that serve together. */
  readonly allMetrics: () => Promise<readonly Family[]>;
  /** It was told to end: whoever sends requests here should send them elsewhere. */
  readonly isStopping: () => boolean;
  readonly audit: Audit;
};
