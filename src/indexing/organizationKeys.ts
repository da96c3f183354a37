import type { Organization } from "../domain/model/tender.ts";

/** The longest key of an index. */
const KEY_LENGTH_MAX = 200;

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]+/g;

/**
 * Cleans a text for use as a key of an index: without control characters, of which PostgreSQL cannot store NUL, without space around
 * it, and not longer than any index allows. A bar becomes an underscore, because it separates the keys of a pair.
 */
export const indexKey = (text: string): string => (CLEAN_TEXT.test(text) ? text : cleanKey(text));

/** Texts that need no cleaning, which nearly all are. */
const CLEAN_TEXT = /^[\w.-]{0,200}$/;

const cleanKey = (text: string): string =>
  text.replaceAll(CONTROL_CHARACTERS, "").replaceAll("|", "_").trim().slice(0, KEY_LENGTH_MAX).toWellFormed();

/**
 * The key of an organisation in addresses, filters and statistics: the scheme and the id of its identifier, such as
 * `UA-EDR-00037256`. Undefined without a scheme or an id. An id may contain any characters, so addresses encode the key.
 */
export function organizationKey(organization: Organization | undefined): string | undefined {
  const { scheme, id } = organization?.identifier ?? {};
  if (scheme === undefined || id === undefined) return undefined;
  const [cleanScheme, cleanId] = [indexKey(scheme), indexKey(id)];
  return cleanScheme === "" || cleanId === "" ? undefined : indexKey(`${cleanScheme}-${cleanId}`);
}

/** The distinct keys of organisations, without those that have none. */
export const organizationKeys = (organizations: readonly Organization[] | undefined): readonly string[] => [
  ...new Set((organizations ?? []).map(organizationKey).filter((key) => key !== undefined)),
];
