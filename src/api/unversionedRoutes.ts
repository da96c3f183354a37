import { DOCUMENT_SERVICE_ROUTES } from "../documents/documentService.ts";
import type { Route } from "../http/route.ts";
import { WEBHOOK_ROUTES } from "../webhooks/webhookRoutes.ts";
import { CLOCK_ROUTES } from "./resources/testClockRoutes.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** What the service does beside the versions of its API, by the same checks and in the same manner. */
export const UNVERSIONED_ROUTES: readonly Route<ServicePorts>[] = [
  ...CLOCK_ROUTES,
  ...WEBHOOK_ROUTES,
  ...DOCUMENT_SERVICE_ROUTES,
];
