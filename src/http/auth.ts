import type { IncomingHttpHeaders } from "node:http";
import type { Account, Actor } from "../domain/actors.ts";
import { isPlain } from "../domain/merge.ts";
import { hashOf } from "../registry/secrets.ts";
import { callbackOf } from "./rendering.ts";

type Accounts = ReadonlyMap<string, Account>;

const KNOWN_MAX = 1000;
const known = new WeakMap<Accounts, Map<string, Account>>();

/** Basic with the key as user name and any password, or Bearer with the key. Whatever else comes is nobody. */
export function accountOf(authorization: string | undefined, accounts: Accounts): Account | undefined {
  if (!authorization) return undefined;
  const before = known.get(accounts) ?? new Map<string, Account>();
  const found = before.get(authorization);
  if (found) return found;
  const key = keyOf(authorization);
  const account = key ? accounts.get(hashOf(key)) : undefined;
  if (account) {
    if (before.size >= KNOWN_MAX) before.clear();
    known.set(accounts, before.set(authorization, account));
  }
  return account;
}

export function keyOf(authorization: string): string | undefined {
  const [, scheme, rest] = /^(\S+)\s+(\S.*)$/.exec(authorization.trim()) ?? [];
  if (!scheme || !rest) return undefined;
  switch (scheme.toLowerCase()) {
    case "bearer":
      return rest.trim();
    case "basic":
      return userNameOf(rest.trim());
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
export function ignoredAuthorization(
  { authorization }: IncomingHttpHeaders,
  query: string,
  accounts: Accounts,
): string | undefined {
  if (!authorization) return undefined;
  if (accountOf(authorization, accounts))
    return query !== "" && callbackOf(new URLSearchParams(query)) ? "not used for JSONP" : undefined;
  if (keyOf(authorization) !== undefined) return "unknown key";
  return /^(basic|bearer)\b/i.test(authorization.trim()) ? "malformed credentials" : "unsupported scheme";
}

/** The owner token: of the query, else of the header; else it may be in the body. An empty one is none. */
export function tokenOf(query: URLSearchParams, headers: IncomingHttpHeaders): string | undefined {
  const header = headers["x-access-token"];
  return query.get("acc_token") || (Array.isArray(header) ? header[0] : header) || undefined;
}

export function tokenInBody(body: unknown): string | undefined {
  const access = isPlain(body) ? body.access : undefined;
  const token = isPlain(access) ? access.token : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

export const actorOf = (account: Account | undefined, token: string | undefined): Actor => ({
  ...(account && { account }),
  ...(token && { tokenHash: hashOf(token) }),
});
