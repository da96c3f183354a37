import type { Exchange } from "../http/exchange.ts";
import type { RequestTrace } from "../http/requestTrace.ts";
import type { OperationsByMethod } from "../http/route.ts";
import type { RouteTable } from "./router.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** A request while it is checked. */
export type RequestContext = {
  readonly exchange: Exchange<ServicePorts>;
  readonly operations: OperationsByMethod<ServicePorts>;
  readonly origin: string;
  readonly table: RouteTable;
  readonly trace: RequestTrace;
};
