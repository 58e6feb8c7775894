import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { type EnsureOptions, ensureDebianPackage } from "../../tools/ensure-debian-package.ts";

/** Where Chromium is, or one sentence that says why it is not there and how to get it. */
export type FoundChromium =
  | { readonly isThere: true; readonly path: string }
  | { readonly isThere: false; readonly reason: string };

// The shell is the same engine without the window around it: a page costs half of the processor time, a context a
// fifth.
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const elsewhere = [
  "/usr/lib/chromium/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Chromium of `DOORWARD_CHROMIUM`, otherwise on the path, else at its usual places. */
function findChromium(): string | undefined {
  const given = process.env["DOORWARD_CHROMIUM"];
  if (given) return given;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere].find(isProgram);
}

/**
 * Finds Chromium; on Debian, as root, installs it when it is missing: the headless shell, or the whole where Debian has
 * no shell. For many tests (`isForMany`) the shell is installed beside the whole, which costs more than the
 * installation; where that fails, they have what is there.
 */
export async function ensureChromium({
  isForMany = false,
  ...options
}: EnsureOptions & { readonly isForMany?: boolean } = {}): Promise<FoundChromium> {
  const found = findChromium();
  const isGood = !isForMany || process.env["DOORWARD_CHROMIUM"] !== undefined || found?.endsWith(shell) === true;
  if (found !== undefined && isGood) return toAnswer(found);
  const smaller = await ensureDebianPackage(shell, options);
  if (found !== undefined) return toAnswer(findChromium() ?? found);
  const ensured = smaller.installed ? smaller : await ensureDebianPackage("chromium", options);
  if (!ensured.installed) return { isThere: false, reason: `${ensured.reason}, or set DOORWARD_CHROMIUM to its path` };
  const path = findChromium();
  return path === undefined
    ? { isThere: false, reason: "the package has no program chromium" }
    : { isThere: true, path };
}

const toAnswer = (path: string): FoundChromium =>
  isProgram(path) ? { isThere: true, path } : { isThere: false, reason: `${path} cannot be run` };

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
