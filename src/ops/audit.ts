import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/**
 * What was done by those who may do more than others: operators at the machine, and the keys of the service's own people. One
 * JSON line each, at the end of a file that only the service's user may read. Who was told that something is done finds it here,
 * as the line is on disk before the answer.
 */

export type AuditEntry = {
  /** `command` at the machine, `http` over the interface, or found in the file of accounts. */
  readonly via: "command" | "http" | "accounts file";
  readonly actor: string;
  /** What was asked for, in few words: never a key or a token. */
  readonly act: string;
  /** `done`, `refused`, `interrupted`, or the status of the answer. */
  readonly outcome: string | number;
  readonly [fact: string]: string | number | boolean | readonly string[] | object | undefined;
};

export type Audit = {
  readonly record: (act: AuditEntry) => Promise<void>;
  /** Makes the file, if there is none: from then on it is where operators' commands find that a registry is run. */
  readonly begin: () => Promise<void>;
};

export const auditPath = (dataDir: string): string => join(dataDir, "audit.jsonl");

/** The file is opened for each act, so that whoever puts it away finds a new one begun. */
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
        // One write at the end of the file: lines of several processes never mix.
        await file.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
