import { isNotNow, openLink } from "./postgresLink.ts";
import { Unavailable } from "./store.ts";

/** Resolves if PostgreSQL accepts connections at this address and takes writes; rejects with the reason if not. */
export async function probePostgres(url: string): Promise<void> {
  const link = openLink({ url });
  try {
    await link.ask({ name: "", text: "select 1" });
  } finally {
    await link.close();
  }
}

/** Errors of the network that may be over once the database or its network has started. */
const NETWORK_CODES = [
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN"],
  ...["ENETUNREACH", "ENETDOWN", "ENETRESET", "ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"],
  // The socket of a PostgreSQL on the same machine is made when that starts.
  "ENOENT",
];

/** What `pg` and our own link report without a code. */
const NETWORK_MESSAGE = /timeout|^Connection terminated|cannot be reached|only follows another one/;

/**
 * Whether a failed start may succeed later without anybody changing a setting. A wrong password, an unknown database, a
 * certificate that is not trusted and a schema that is too new are not of this kind.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Unavailable)) return false;
  const { code, message } = (error.cause ?? error) as { readonly code?: string; readonly message: string };
  return code === undefined ? NETWORK_MESSAGE.test(message) : NETWORK_CODES.includes(code) || isNotNow(code);
}

/** What happened, in one line. Several addresses of one name fail with several errors and no message of their own. */
export function reasonOfOutage(error: unknown): string {
  const { message, cause } = error as Error;
  const [first] = (cause as { readonly errors?: readonly Error[] } | undefined)?.errors ?? [];
  return message || first?.message || (cause as { readonly code?: string } | undefined)?.code || "no reason given";
}
