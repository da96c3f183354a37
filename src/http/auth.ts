import type { IncomingHttpHeaders } from "node:http";
import { hashOf } from "../base/secrets.ts";
import type { Account, Actor } from "../domain/model/actors.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { callbackOf } from "./responseBody.ts";

type AccountsByKeyHash = ReadonlyMap<string, Account>;

const CACHED_ACCOUNTS_MAX = 1000;
const accountCaches = new WeakMap<AccountsByKeyHash, Map<string, Account>>();

/**
 * The account of an `Authorization` header: Basic with the API key as user name and any password, or Bearer with the key. Undefined for
 * anything else and for unknown keys. Results are cached for each table of accounts, so a reload of the accounts starts an empty cache.
 */
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

/** The API key in an `Authorization` header, whether or not it is known. */
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

/** The user name of Basic credentials. Old clients send Latin-1 instead of UTF-8. */
function userNameOf(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  const decoded = text.includes("\ufffd") ? bytes.toString("latin1") : text;
  const end = decoded.indexOf(":");
  return end < 0 ? undefined : decoded.slice(0, end);
}

/** Why the credentials of a read are ignored, for X-Ignored-Authorization; undefined if there are none or they are used. */
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

/** The owner token from the query, or else from X-Access-Token. An empty one counts as none. It may also be in the body. */
export function ownerTokenOf(query: URLSearchParams, headers: IncomingHttpHeaders): string | undefined {
  const header = headers["x-access-token"];
  return query.get("acc_token") || (Array.isArray(header) ? header[0] : header) || undefined;
}

/** The owner token in `access.token` of a JSON body. */
export function ownerTokenInBody(body: unknown): string | undefined {
  const access = isPlainObject(body) ? body.access : undefined;
  const token = isPlainObject(access) ? access.token : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

/** The caller as the domain sees it: the account, and the hash of the owner token. */
export const actorOf = (account: Account | undefined, token: string | undefined): Actor => ({
  ...(account && { account }),
  ...(token && { tokenHash: hashOf(token) }),
});
