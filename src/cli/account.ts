// npm run account -- NAME [--group brokers] [--levels 12] [--file accounts.json]
// Makes an account with a fresh key. The key is shown once; only its hash is written.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { GROUPS } from "../domain/actors.ts";
import { hashOf, newId } from "../registry/secrets.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    group: { type: "string", default: "brokers" },
    levels: { type: "string", default: "1234" },
    file: { type: "string", default: "accounts.json" },
  },
});
const { group, levels, file } = values;
const [name] = positionals;

if (!name || positionals.length > 1 || !(GROUPS as readonly string[]).includes(group)) {
  console.error("npm run account -- NAME [--group GROUP] [--levels LEVELS] [--file FILE]");
  console.error(`  GROUP   one of ${GROUPS.join(", ")} [brokers]`);
  console.error("  LEVELS  accreditation: 1 publishes tenders, 2 bids and asks, t in test mode only [1234]");
  console.error("  FILE    where accounts are kept; the server reads it as ACCOUNTS_FILE [accounts.json]");
  process.exit(1);
}

const accounts: { name: string }[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
if (accounts.some((account) => account.name === name)) {
  console.error(`${file} has an account named ${name} already`);
  process.exit(1);
}

const key = newId() + newId();
const written = JSON.stringify([...accounts, { name, group, levels, keyHash: hashOf(key) }], null, 2) + "\n";
writeFileSync(`${file}.new`, written, { mode: 0o600 });
renameSync(`${file}.new`, file);
console.log(`${name} is in ${file}. Its key, shown this once:\n\n  ${key}\n`);
console.log(`Serve with: MODE=production ACCOUNTS_FILE=${file} npm start`);
