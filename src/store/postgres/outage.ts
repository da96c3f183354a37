import { errorCode, errorMessage } from "../../base/errors.ts";
import { StoreUnavailableError } from "../store.ts";
import { isTemporaryError, openConnection } from "./connection.ts";

/** Resolves if PostgreSQL accepts connections at this URL and is a primary; rejects with the reason if not. */
export async function probePostgres(url: string): Promise<void> {
  const connection = openConnection({ url });
  try {
    await connection.runQuery({ name: "", text: "select 1" });
  } finally {
    await connection.close();
  }
}

/** Network errors that may disappear once the database or its network is up. */
const NETWORK_CODES = [
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN"],
  ...["ENETUNREACH", "ENETDOWN", "ENETRESET", "ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"],
  // A PostgreSQL on the same machine creates its socket when it starts.
  "ENOENT",
];

/** Messages of errors without a code, of `pg` and of `openConnection`. */
const NETWORK_MESSAGE = /timeout|^Connection terminated|cannot be reached|is a replica of another one/;

/**
 * Whether a failed start may succeed later without a change of settings. A wrong password, an unknown database, an untrusted
 * certificate and a schema that is too new are not outages.
 */
export function isOutage(error: unknown): error is StoreUnavailableError {
  if (!(error instanceof StoreUnavailableError)) return false;
  const cause = error.cause ?? error;
  const code = errorCode(cause);
  return code === undefined
    ? NETWORK_MESSAGE.test(errorMessage(cause))
    : NETWORK_CODES.includes(code) || isTemporaryError(code);
}

/** The reason in one line. If a name has several addresses, the error has one cause for each and no message of its own. */
export function reasonOfOutage(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const [first] = cause instanceof AggregateError ? cause.errors : [];
  return errorMessage(error) || first?.message || errorCode(cause) || "no reason given";
}
