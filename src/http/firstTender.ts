import { shellQuoted } from "../base/shell.ts";
import { CURRENT_SEGMENT } from "../dialects/dialects.ts";
import type { Instant } from "../domain/values/time.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The command with which a newcomer publishes a first tender: complete, in the current version of the API, and with deadlines one
 * and two weeks from now. `origin` is the address of the registry, `key` an API key.
 */
export function firstTenderCommand(origin: string, key: string, now: Instant): string {
  const inDays = (days: number): string =>
    `${new Date(now / 1000 + days * DAY_MS).toISOString().slice(0, 10)}T12:00:00Z`;
  const address = `${origin}/api/${CURRENT_SEGMENT}/tenders?opt_pretty=1`;
  return `curl -u ${key}: -H 'Content-Type: application/json' ${shellQuoted(address)} -d '{"data": {
  "title": "My first tender",
  "value": {"amount": 40000}, "minimalStep": {"amount": 400},
  "enquiryPeriod": {"endDate": "${inDays(7)}"}, "tenderPeriod": {"endDate": "${inDays(14)}"},
  "procuringEntity": {"name": "Library 3", "address": {"countryName": "Ukraine"},
    "identifier": {"scheme": "UA-EDR", "id": "21725150"}, "contactPoint": {"name": "Svitlana Kutsa"}},
  "items": [{"description": "Chairs", "quantity": 40, "unit": {"name": "piece"},
    "classification": {"scheme": "ДК021", "id": "39112000-0", "description": "Chairs"}}]
}}'`;
}
