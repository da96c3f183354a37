import type { IncomingHttpHeaders } from "node:http";
import { hashOf } from "../base/secrets.ts";
import type { Account, Actor } from "../domain/model/actors.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { callbackOf } from "./responseBody.ts";

type AccountsByKeyHash = ReadonlyMap<string, Account>;

const CACHED_ACCOUNTS_MAX = 1000;
const accountCaches = new WeakMap<AccountsByKeyHash, Map<string, Account>>();

/** Basic with the key as user name and any password, or Bearer with the key. Whatever else comes is nobody. */
export function accountOf(authorization: string | undefined, accounts: AccountsByKeyHash): Account | undefined {
  if (!authorization) return undefined;
  const cache = accountCaches.get(accounts) ?? new Map<string, Account>();
  const cached = cache.get(authorization);
  if (cached) return cached;
  const key = apiKeyOf(authorization);
  const account = key ? accounts.get(hashOf(key)) : undefined;
  if (account) {
    if (cache.size >= CACHED_ACCOUNTS_MAX) cache.clear();
    accountCaches.set(accounts, cache.set(authorization, account));
  }
  return account;
}

export function apiKeyOf(authorization: string): string | undefined {
  const [, scheme, credentials] = /^(\S+)\s+(\S.*)$/.exec(authorization.trim()) ?? [];
  if (!scheme || !credentials) return undefined;
  switch (scheme.toLowerCase()) {
    case "bearer":
      return credentials.trim();
    case "basic":
      return userNameOf(credentials.trim());
    default:
      return undefined;
  }
}

function userNameOf(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  const decoded = text.includes("\ufffd") ? bytes.toString("latin1") : text;
  const end = decoded.indexOf(":");
  return end < 0 ? undefined : decoded.slice(0, end);
}

/** Why the credentials of a read are not used, in a few words; nothing, where there are none or they are. */
export function ignoredCredentialsReason(
  { authorization }: IncomingHttpHeaders,
  query: string,
  accounts: AccountsByKeyHash,
): string | undefined {
  if (!authorization) return undefined;
  if (accountOf(authorization, accounts))
    return query !== "" && callbackOf(new URLSearchParams(query)) ? "not used for JSONP" : undefined;
  if (apiKeyOf(authorization) !== undefined) return "unknown key";
  return /^(basic|bearer)\b/i.test(authorization.trim()) ? "malformed credentials" : "unsupported scheme";
}

/** The owner token: of the query, else of the header; else it may be in the body. An empty one is none. */
export function ownerTokenOf(query: URLSearchParams, headers: IncomingHttpHeaders): string | undefined {
  const header = headers["x-access-token"];
  return query.get("acc_token") || (Array.isArray(header) ? header[0] : header) || undefined;
}

export function ownerTokenInBody(body: unknown): string | undefined {
  const access = isPlainObject(body) ? body.access : undefined;
  const token = isPlainObject(access) ? access.token : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

export const actorOf = (account: Account | undefined, token: string | undefined): Actor => ({
  ...(account && { account }),
  ...(token && { tokenHash: hashOf(token) }),
});
