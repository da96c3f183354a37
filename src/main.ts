import { type Config, configOf, HELP } from "./config.ts";
import { SANDBOX_ACCOUNTS } from "./http/accounts.ts";
import { openLog } from "./http/log.ts";
import { start, systemClock } from "./start.ts";

if (process.argv.includes("--help") || process.argv.includes("-h")) {
  process.stdout.write(HELP);
  process.exit(0);
}

const config = configOf(process.env);
if (!("port" in config)) fail(config);
await serve(config);

async function serve(config: Config): Promise<void> {
  const log = openLog((text) => process.stdout.write(text), { info: config.logsRequests });
  const running = await start(config, { clock: systemClock, log }).catch((error: Error) =>
    fail([reasonOf(error, config)]),
  );
  if (config.sandbox) process.stdout.write(welcome(running.url));
  log.info("listening", { url: running.url, mode: config.sandbox ? "sandbox" : "production" });
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info("stopping", { signal });
    await running.stop();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function reasonOf(error: Error & { code?: string }, { host, port }: Config): string {
  if (error.code === "EADDRINUSE") return `PORT ${port} is taken: choose another, for example PORT=${port + 1}`;
  if (error.code === "EADDRNOTAVAIL") return `HOST ${host} is not an address of this machine`;
  if (error.code === "EACCES") return `PORT ${port} or DATA_DIR may not be used by this user`;
  return error.message;
}

function fail(problems: readonly string[]): never {
  process.stderr.write(`Tenderhall cannot start:\n${problems.map((problem) => `  - ${problem}\n`).join("")}`);
  process.stderr.write("npm start -- --help lists every setting.\n");
  process.exit(1);
}

function welcome(url: string): string {
  const keys = SANDBOX_ACCOUNTS.map(
    ({ key, group, levels }) => `    ${key.padEnd(14)} ${group.padEnd(14)} levels ${levels}`,
  );
  return `
  Tenderhall is listening on ${url}   (sandbox: keys that everybody knows)

  Keys, to be sent as the user name of Basic authentication:
${keys.join("\n")}

  Publish your first tender:

    curl -u broker: -H 'Content-Type: application/json' -d '{"data": {"title": "Hello"}}' '${url}/api/2.3/tenders?opt_pretty=1'

  Then open ${url}/ in a browser.

`;
}
