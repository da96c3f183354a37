// Runs a file of this project with the Node that package.json asks for, whatever Node the machine has.
// Installs first what package-lock.json names and node_modules lacks. Plain JavaScript that old Nodes understand.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { explainMissingNode, findNode } from "./nodeBinary.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".installed");
// Beside node_modules, which an installation empties.
const lock = join(root, ".installing");

const LOOK_MS = 200;
const HOLD_MS = 5000;
const ABANDONED_MS = 60_000;

let child;
let isToldToEnd = false;

passOnSignals();
await installWhatIsMissing();
run(process.argv.slice(2));

/**
 * npm tells only the shell between it and us to end, and such a shell tells nobody: under npm, a parent that is gone
 * is a signal too. Elsewhere it is none, as whoever starts us in the background may go. The package's command is known by
 * the channel that it keeps to us.
 */
function passOnSignals() {
  const parent = process.ppid;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(signal));
  if (process.channel) {
    process.on("disconnect", () => end("SIGTERM"));
    process.channel.unref();
  }
  if (!process.env.npm_lifecycle_event) return;
  const timer = setInterval(() => {
    if (process.ppid !== parent && !isToldToEnd) end("SIGTERM");
  }, LOOK_MS);
  timer.unref();
}

function end(signal) {
  isToldToEnd = true;
  if (child) child.kill(signal);
  else process.exit(1);
}

async function installWhatIsMissing() {
  if (isInstalled()) return;
  const release = await takeLock();
  const done = isInstalled() || (await install());
  release();
  if (!done) process.stderr.write("The installation failed; the lines above say why.\n");
  if (!done || isToldToEnd) process.exit(1);
}

function wanted() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function isInstalled() {
  return findNode() !== undefined && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted();
}

/** Development is included whatever NODE_ENV says, as what is installed serves `npm test` too. */
async function install() {
  process.stderr.write("Installing what is missing (once) ...\n");
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  child = spawn(command, [...args, "ci", "--include=dev", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  const code = await new Promise((resolve) => {
    child.on("exit", resolve);
    child.on("error", (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
  });
  child = undefined;
  if (code === 0 && findNode() === undefined) {
    process.stderr.write(explainMissingNode());
    return false;
  }
  if (code === 0) writeFileSync(stamp, wanted());
  return code === 0;
}

/** One installation at a time in this folder. The holder touches the lock, so that one left by a kill is known by its age. */
async function takeLock() {
  for (let round = 0; !isLockMade(); round++) {
    if (round === 0) process.stderr.write(`Another start is installing (${lock} is there); waiting for it ...\n`);
    await pause(LOOK_MS);
  }
  const timer = setInterval(() => {
    utimesSync(lock, new Date(), new Date());
  }, HOLD_MS);
  const release = () => {
    clearInterval(timer);
    process.off("exit", release);
    rmdirSync(lock);
  };
  process.on("exit", release);
  return release;
}

function isLockMade() {
  try {
    if (isAbandoned()) rmdirSync(lock);
    mkdirSync(lock);
    return true;
  } catch (error) {
    // Between the looks of several, it may be there or gone at any time.
    if (error.code === "EEXIST" || error.code === "ENOENT") return false;
    process.stderr.write(`Nothing can be installed: ${error.message}\n`);
    process.exit(1);
  }
}

function isAbandoned() {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

function run(args) {
  // What Node makes of the sources is kept, so that the next start, and every process of the tests, begins sooner.
  const env = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"), ...process.env };
  // Nothing goes over the channel: its end tells the program that we were killed, and pass on nothing any more.
  const isProgram = resolve(args[0]).startsWith(join(root, "src") + sep);
  const stdio = ["inherit", "inherit", "inherit", ...(isProgram ? ["ipc"] : [])];
  child = spawn(findNode(), ["--disable-warning=ExperimentalWarning", ...args], { stdio, env });
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
