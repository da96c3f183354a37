// npx tenderhall ...
import { operate } from "./operator.ts";

// What it opens and writes is nobody else's to read.
process.umask(0o077);
const { code, out, err } = await operate(process.argv.slice(2), process.env);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
