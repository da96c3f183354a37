import { CLOCK_ROUTES } from "./clocks.ts";
import { DOCUMENT_SERVICE_ROUTES } from "./documentService.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";
import { WEBHOOK_ROUTES } from "./webhooks.ts";

/** What the service does beside the versions of its API, by the same checks and in the same manner. */
export const SITE_ROUTES: readonly Route<Service>[] = [...CLOCK_ROUTES, ...WEBHOOK_ROUTES, ...DOCUMENT_SERVICE_ROUTES];
