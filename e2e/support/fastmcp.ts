import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

const requirements = join(import.meta.dirname, "../fastmcp/requirements.txt");
const python = process.env["DOORWARD_TEST_PYTHON"] ?? "python3";

/** How FastMCP is started. */
export interface Python {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Why tests with clients in Python are skipped; `false` when they run. */
export function reasonWithoutPip(): string | false {
  const isThere = spawnSync(python, ["-m", "pip", "--version"]).status === 0;
  return isThere ? false : "there is no Python with pip here, which npm test does not install";
}

/**
 * Installs FastMCP from the package index, once for all checkouts; a text says why that is impossible here. The
 * packages of the machine stay as they are.
 */
export async function installFastMcp(): Promise<Python | string> {
  const { stdout: tag } = spawnSync(python, ["-c", "import sys; print(sys.implementation.cache_tag)"], {
    encoding: "utf8",
  });
  const wanted = createHash("sha256").update(readFileSync(requirements)).update(tag).digest("hex").slice(0, 16);
  const caches = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const packages = join(caches, "doorward-tests", `fastmcp-${wanted}`);
  if (!existsSync(packages)) {
    const complaint = await install(packages);
    if (complaint !== undefined) return `FastMCP cannot be installed: ${complaint}`;
  }
  // What is imported is kept compiled beside the packages, whatever the machine usually does: that is half of the time.
  return { command: python, env: { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "" } };
}

async function install(packages: string): Promise<string | undefined> {
  mkdirSync(dirname(packages), { recursive: true });
  const directory = mkdtempSync(`${packages}-`);
  try {
    const options = ["--target", directory, "--no-compile", "--only-binary=:all:", "--disable-pip-version-check"];
    const child = spawn(python, ["-m", "pip", "install", "--quiet", ...options, "--requirement", requirements], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [[code], said] = await Promise.all([once(child, "close"), text(child.stderr)]);
    if (code !== 0) return said.trim().split("\n").at(-1) ?? "";
    // Another run may have been faster.
    if (!existsSync(packages)) renameSync(directory, packages);
    return undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
