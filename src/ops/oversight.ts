import type { Audit } from "./audit.ts";
import type { MetricFamily, Metrics } from "./metrics.ts";

/** What those who run the service need to know of it. */
export type Observability = {
  readonly metrics: Metrics;
  /** Of all processes that serve together. */
  readonly allMetrics: () => Promise<readonly MetricFamily[]>;
  /** It was told to end: whoever sends requests here should send them elsewhere. */
  readonly isStopping: () => boolean;
  readonly audit: Audit;
};
