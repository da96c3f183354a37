import { lstatSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { openZone, type Zone } from "../domain/values/time.ts";

/** Checks of settings that are more than a number or a word. Each adds what is wrong to `problems`. */

export function checkedHost(host: string, localOnly: boolean, problems: string[]): string {
  if (localOnly && !isLoopback(host))
    problems.push(
      `HOST ${host} would open a sandbox, whose keys everybody knows, to others: set SANDBOX_PUBLIC=1 if that is meant`,
    );
  return host;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);

export function checkedDataDir(folder: string, problems: string[]): string {
  const problem = folderProblem(resolve(folder));
  if (problem) problems.push(`DATA_DIR ${folder} ${problem}`);
  return folder;
}

/**
 * Makes a folder for a moment in the nearest one that is there. Asking for permission is not enough: the superuser has
 * it everywhere, also in `/proc`, where nothing can be made and making a path never ends.
 */
function folderProblem(folder: string): string | undefined {
  try {
    const nearest = nearestExisting(folder);
    if (!statSync(nearest).isDirectory())
      return nearest === folder ? "is not a folder" : `cannot be made: ${nearest} is not a folder`;
    rmdirSync(mkdtempSync(join(nearest, ".tenderhall-")));
    return undefined;
  } catch (error) {
    return `cannot be written to: ${(error as Error).message}`;
  }
}

/** The folder itself or the innermost around it that is there. A link to nowhere is there, and then cannot be used. */
function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** The address itself is not repeated: it may hold a password. */
export function checkedDatabaseUrl(name: string, url: string, problems: string[]): string | undefined {
  if (url === "") return undefined;
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    problems.push(`${name} must be an address such as postgres://user:password@host:5432/database`);
  return url;
}

/** As it goes over the wire, since it goes into headers. */
export function checkedPublicUrl(text: string, problems: string[]): string | undefined {
  if (text === "") return undefined;
  const url = /^https?:\/\//i.test(text) && !/[?#]/.test(text) ? URL.parse(text) : null;
  if (url && !url.username && !url.password) return url.href.replace(/\/+$/, "");
  problems.push(`PUBLIC_URL must be an http or https address without user, query and fragment, not "${text}"`);
  return undefined;
}

export function checkedZone(name: string, problems: string[]): Zone {
  try {
    return openZone(name);
  } catch {
    problems.push(`TIMEZONE must be the name of a time zone such as Europe/Kyiv, not "${name}"`);
    return openZone("UTC");
  }
}
