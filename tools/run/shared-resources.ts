import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ensureChromium } from "../../e2e/support/chromium.ts";
import { ensureDebianPackage } from "../ensure-debian-package.ts";
import { timeOfTree } from "./processor-time.ts";

/** What tests need from the machine, made once for the whole run. */
export interface SharedResources {
  /** Processor time so far of what the files share, in milliseconds. */
  used(): { readonly database: number; readonly browser: number };
  close(): Promise<void>;
}

/**
 * Creates what the test files share: one PostgreSQL server (`DOORWARD_TEST_POSTGRES_URL`), one Chromium
 * (`DOORWARD_TEST_CHROMIUM_ENDPOINT`) and a directory for templates of databases (`DOORWARD_TEST_TEMPLATES`). Anything
 * unavailable is reported, and the tests themselves skip or fail. A single file creates what it needs itself.
 */
export async function prepareSharedResources(files: readonly string[]): Promise<SharedResources> {
  const closing: (() => Promise<void> | void)[] = [];
  const processes: { database?: number | undefined; browser?: number | undefined } = {};
  const share = (variable: string, value: string, close: () => Promise<void> | void): void => {
    process.env[variable] = value;
    closing.unshift(close);
  };
  const inBrowser = files.filter((file) => file.startsWith("e2e/"));
  if (inBrowser.length > 0 && (await canBrowse(inBrowser.length > manyFiles)) && inBrowser.length > 1) {
    const { endpointVariable, startChromiumServer } = await loadChromiumServer();
    const browser = await startChromiumServer();
    processes.browser = browser.pid;
    share(endpointVariable, browser.endpoint, browser.close);
  }
  await providePackages(files);
  const withServer = files.filter((file) => file.startsWith("server/") || file.startsWith("e2e/"));
  if (withServer.length > 1) {
    const templates = mkdtempSync(join(tmpdir(), "doorward-templates-"));
    share("DOORWARD_TEST_TEMPLATES", templates, () => rmSync(templates, { recursive: true, force: true }));
  }
  const usesPostgres = withServer.length > 0 && process.env["DOORWARD_TEST_ENGINES"] !== "sqlite";
  if (
    usesPostgres &&
    (await canStorePostgres()) &&
    withServer.length > 1 &&
    !process.env["DOORWARD_TEST_POSTGRES_URL"]
  ) {
    const { startPostgres } = await loadPostgres();
    // A connection of a test seldom runs a statement five times, before which PostgreSQL would plan it anew each time.
    // Databases that live for seconds need no maintenance.
    const settings = ["plan_cache_mode=force_generic_plan", "autovacuum=off"];
    const postgres = await startPostgres({ settings });
    processes.database = postgres.pid;
    share("DOORWARD_TEST_POSTGRES_URL", postgres.url, postgres.stop);
  }
  return {
    used: () => ({ database: timeOfTree(processes.database), browser: timeOfTree(processes.browser) }),
    async close() {
      for (const close of closing) await close();
    },
  };
}

// A run without a browser or a database does not load the clients of either, which takes half a second.
const loadChromiumServer = () => import("../../e2e/support/chromium-server.ts");
const loadPostgres = () => import("../../server/test/support/databases/postgres.ts");

const tell = (message: string): void => console.log(`     ${message}`);

async function canBrowse(isForMany: boolean): Promise<boolean> {
  const chromium = await ensureChromium({ tell, isForMany });
  if (!chromium.isThere) tell(`no browser: ${chromium.reason}`);
  return chromium.isThere;
}

// Of tests in a browser: to install another one takes as long as some of them.
const manyFiles = 10;

/** Debian packages of software that tests run, by the ends of their paths. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  "/ldap/ldap-slapd.test.ts": ["slapd"],
  "/ldap/samba.test.ts": ["samba-ad-dc", "samba-ad-provision"],
  "/saml-partners/mellon.test.ts": ["libapache2-mod-auth-mellon"],
  "/saml-partners/pysaml2.test.ts": ["python3-pysaml2"],
  "/saml-partners/python3-saml.test.ts": ["python3-onelogin-saml2"],
  "/saml-partners/shibboleth.test.ts": ["libapache2-mod-shib"],
  "/saml-partners/simplesamlphp.test.ts": ["php-cli", "php-mbstring", "php-xml", "simplesamlphp"],
};

// The tests say themselves why they are skipped without them.
async function providePackages(files: readonly string[]): Promise<void> {
  const needed = Object.entries(packagesOf).filter(([end]) => files.some((file) => file.endsWith(end)));
  for (const name of needed.flatMap(([, names]) => names)) {
    const ensured = await ensureDebianPackage(name, { tell });
    if (!ensured.installed) tell(`no ${name}: ${ensured.reason}`);
  }
}

async function canStorePostgres(): Promise<boolean> {
  const { hasPostgres } = await loadPostgres();
  if (hasPostgres()) return true;
  const postgres = await ensureDebianPackage("postgresql", { tell });
  if (!postgres.installed) tell(`no PostgreSQL: ${postgres.reason}`);
  return hasPostgres();
}
