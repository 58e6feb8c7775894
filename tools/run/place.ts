import process from "node:process";
import { ensureChromium } from "../../e2e/support/chromium.ts";
import { hasPostgres, startPostgres } from "../../server/test/support/postgres.ts";
import { ensureDebianPackage } from "../ensure-debian-package.ts";

/** What tests need from the machine, made once for the whole run. */
export interface Place {
  close(): Promise<void>;
}

/**
 * Sees to it that PostgreSQL and Chromium are there for the files that are going to run, and starts one PostgreSQL server
 * for all of them (`DOORWARD_TEST_POSTGRES_URL`). What cannot be had is told; the tests themselves skip or fail.
 */
export async function preparePlace(files: readonly string[]): Promise<Place> {
  const tell = (message: string): void => console.log(`     ${message}`);
  const inBrowser = files.some((file) => file.startsWith("e2e/"));
  if (inBrowser) {
    const chromium = await ensureChromium({ tell });
    if (!chromium.isThere) tell(`no browser: ${chromium.reason}`);
  }
  const withServer = files.filter((file) => file.startsWith("server/") || file.startsWith("e2e/"));
  if (withServer.length === 0) return { close: async () => {} };
  if (!hasPostgres()) {
    const postgres = await ensureDebianPackage("postgresql", { tell });
    if (!postgres.installed) tell(`no PostgreSQL: ${postgres.reason}`);
  }
  // A single file starts the server itself when it needs one.
  if (withServer.length === 1 || !hasPostgres() || process.env["DOORWARD_TEST_POSTGRES_URL"]) {
    return { close: async () => {} };
  }
  const server = await startPostgres();
  process.env["DOORWARD_TEST_POSTGRES_URL"] = server.url;
  return { close: () => server.stop() };
}
