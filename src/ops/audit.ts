import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/**
 * The audit log: what privileged users did, that is operators on the machine and the API keys of the registry's own staff. Each act
 * is a JSON line at the end of a file that only the service's user may read, and is on disk before the response is sent.
 */

export type AuditEntry = {
  /** How it was done: by a command on the machine, over HTTP, or by editing the accounts file. */
  readonly via: "command" | "http" | "accounts file";
  readonly actor: string;
  /** The act in a few words; never contains a key or a token. */
  readonly act: string;
  /** `done`, `refused`, `interrupted`, or the status code of the response. */
  readonly outcome: string | number;
  readonly [fact: string]: string | number | boolean | readonly string[] | object | undefined;
};

export type Audit = {
  /** Appends an entry. Resolves once it is on disk. */
  readonly record: (entry: AuditEntry) => Promise<void>;
  /** Creates the file if there is none. Its existence tells the operators' commands that the folder belongs to a registry. */
  readonly begin: () => Promise<void>;
};

/** The path of the audit log in a data folder. */
export const auditPath = (dataDir: string): string => join(dataDir, "audit.jsonl");

/** Opens the audit log. The file is opened for each entry, so that it can be rotated by renaming it. */
export function openAudit(dataDir: string): Audit {
  async function openFile() {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return open(auditPath(dataDir), "a", 0o600);
  }
  return {
    begin: async () => (await openFile()).close(),
    async record(entry) {
      const file = await openFile();
      try {
        // A single append: lines of several processes do not mix.
        await file.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
