import { hashOf } from "../base/secrets.ts";
import type { Account } from "../domain/model/actors.ts";

/** The accounts of a sandbox, with well-known keys that a registry in production rejects. */
export const SANDBOX_ACCOUNTS: readonly (Account & { readonly key: string })[] = [
  { key: "broker", name: "broker", group: "brokers", levels: "1234" },
  { key: "broker05", name: "broker05", group: "brokers", levels: "1234", createsNothing: true },
  { key: "broker1", name: "broker1", group: "brokers", levels: "1" },
  { key: "broker2", name: "broker2", group: "brokers", levels: "2" },
  { key: "broker3", name: "broker3", group: "brokers", levels: "3" },
  { key: "broker4", name: "broker4", group: "brokers", levels: "4" },
  { key: "broker1t", name: "broker1t", group: "brokers", levels: "1t" },
  { key: "broker2t", name: "broker2t", group: "brokers", levels: "2t" },
  { key: "auction", name: "auction", group: "auction" },
  { key: "chronograph", name: "chronograph", group: "chronograph" },
  { key: "administrator", name: "administrator", group: "Administrator" },
  { key: "reviewer", name: "reviewer", group: "reviewers" },
  { key: "aboveThresholdReviewers", name: "aboveThresholdReviewers", group: "aboveThresholdReviewers" },
  { key: "bot", name: "bot", group: "bots" },
  { key: "contracting", name: "contracting", group: "contracting" },
  { key: "metrics", name: "metrics", group: "metrics" },
  { key: "chrisr", name: "chrisr", group: "tests" },
  { key: "token", name: "test", group: "admins" },
];

/** The hashes of the well-known keys. */
export const sandboxKeyHashes = (): ReadonlySet<string> => new Set(SANDBOX_ACCOUNTS.map(({ key }) => hashOf(key)));
