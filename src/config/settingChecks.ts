import { lstatSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorMessage } from "../base/errors.ts";
import { DAY, HOUR, MINUTE, openZone, type Zone } from "../domain/values/time.ts";

/** Checks of settings that are more than a number or a choice. Each returns the value and adds what is wrong to `problems`. */

/** A host to listen on; with `localOnly`, it must be a loopback address. */
export function checkedHost(host: string, localOnly: boolean, problems: string[]): string {
  if (localOnly && !isLoopback(host))
    problems.push(
      `HOST ${host} would expose a sandbox with well-known keys to other machines: set SANDBOX_PUBLIC=1 to allow it`,
    );
  return host;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);

/** A folder that exists or can be created, and can be written to. */
export function checkedDataDir(folder: string, problems: string[]): string {
  const problem = folderProblem(resolve(folder));
  if (problem) problems.push(`DATA_DIR ${folder} ${problem}`);
  return folder;
}

/**
 * Tests the folder by creating a temporary one in its nearest existing ancestor. Checking permissions is not enough: the superuser
 * has them even in `/proc`, where nothing can be created and a recursive `mkdir` never returns.
 */
function folderProblem(folder: string): string | undefined {
  try {
    const nearest = nearestExisting(folder);
    if (!statSync(nearest).isDirectory())
      return nearest === folder ? "is not a folder" : `cannot be created: ${nearest} is not a folder`;
    rmdirSync(mkdtempSync(join(nearest, ".tenderhall-")));
    return undefined;
  } catch (error) {
    return `cannot be written to: ${errorMessage(error)}`;
  }
}

/** The path itself or its nearest ancestor that exists. A dangling link counts as existing, and then fails the test. */
function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Where readers write to, as a link: an email address becomes `mailto:`. Undefined if it is not set. */
export function checkedContact(contact: string, problems: string[]): string | undefined {
  if (contact === "") return undefined;
  if (/^[^\s@<>"'?&]+@[^\s@<>"'?&]+$/.test(contact)) return `mailto:${contact}`;
  if (/^https?:$/.test(URL.parse(contact)?.protocol ?? "")) return contact;
  problems.push(`CONTACT must be an email address or the address of a web page, not "${contact}"`);
  return undefined;
}

/** The address of a web page, normalised; undefined if it is not set. */
export function checkedWebAddress(name: string, address: string, problems: string[]): string | undefined {
  if (address === "") return undefined;
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  problems.push(`${name} must be the address of a web page, not "${address}"`);
  return undefined;
}

/** The prefix of open contracting ids, or nothing. */
export function checkedOcidPrefix(prefix: string, problems: string[]): string {
  if (prefix !== "" && !/^ocds-[a-z0-9]{6}$/.test(prefix))
    problems.push(`OCDS_PREFIX must be ocds- and six lower-case letters and digits, not "${prefix}"`);
  return prefix;
}

/** A part of the day such as 11:00-16:00, as microseconds after midnight. */
export function checkedHours(
  text: string,
  problems: string[],
): { readonly opensAt: number; readonly closesAt: number } {
  const [, fromHour, fromMinute, toHour, toMinute] =
    /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const opensAt = Number(fromHour) * HOUR + Number(fromMinute) * MINUTE;
  const closesAt = Number(toHour) * HOUR + Number(toMinute) * MINUTE;
  if (opensAt < closesAt) return { opensAt, closesAt };
  problems.push(`AUCTION_HOURS must be two times of a day such as 11:00-16:00, not "${text}"`);
  return { opensAt: 0, closesAt: DAY };
}

/** A PostgreSQL URL. The problem does not repeat it, as it may contain a password. */
export function checkedDatabaseUrl(name: string, url: string, problems: string[]): string | undefined {
  if (url === "") return undefined;
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    problems.push(`${name} must be a URL such as postgres://user:password@host:5432/database`);
  return url;
}

/** A base URL, normalised and percent-encoded, since it is used in headers. */
export function checkedPublicUrl(text: string, problems: string[]): string | undefined {
  if (text === "") return undefined;
  const url = /^https?:\/\//i.test(text) && !/[?#]/.test(text) ? URL.parse(text) : null;
  if (url && !url.username && !url.password) return url.href.replace(/\/+$/, "");
  problems.push(`PUBLIC_URL must be an http or https URL without user, query and fragment, not "${text}"`);
  return undefined;
}

/** An IANA time zone. */
export function checkedZone(name: string, problems: string[]): Zone {
  try {
    return openZone(name);
  } catch {
    problems.push(`TIMEZONE must be the name of a time zone such as Europe/Kyiv, not "${name}"`);
    return openZone("UTC");
  }
}
