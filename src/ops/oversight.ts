import type { Audit } from "./audit.ts";
import type { MetricFamily, Metrics } from "./metrics.ts";

/** What HTTP handlers need for monitoring and auditing. */
export type Observability = {
  /** The metrics of this process. */
  readonly metrics: Metrics;
  /** The metrics of all worker processes. */
  readonly allMetrics: () => Promise<readonly MetricFamily[]>;
  /** Whether shutdown has begun, so that load balancers should send requests elsewhere. */
  readonly isStopping: () => boolean;
  readonly audit: Audit;
};
