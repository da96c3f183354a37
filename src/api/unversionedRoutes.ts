import { DOCUMENT_SERVICE_ROUTES } from "../documents/documentService.ts";
import type { Route } from "../http/route.ts";
import { OCDS_ROUTES } from "../opendata/ocdsRoutes.ts";
import { WEBHOOK_ROUTES } from "../webhooks/webhookRoutes.ts";
import { CLOCK_ROUTES } from "./resources/testClockRoutes.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** The routes that are the same for all API versions. They run through the same checks as those of the versions. */
export const UNVERSIONED_ROUTES: readonly Route<ServicePorts>[] = [
  ...CLOCK_ROUTES,
  ...WEBHOOK_ROUTES,
  ...DOCUMENT_SERVICE_ROUTES,
  ...OCDS_ROUTES,
];
