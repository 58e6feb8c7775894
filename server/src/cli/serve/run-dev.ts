import { relative } from "node:path";
import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import { createLog } from "../../app/log.ts";
import type { App } from "../../app.ts";
import { systemRandom } from "../../base/random.ts";
import { version } from "../../base/version.ts";
import { generateToken } from "../../call/index.ts";
import type { Config } from "../../config/index.ts";
import { issueSetupLink } from "../../domain/setup/index.ts";
import { setupLink } from "../admin/admin-setup-link.ts";
import { answer, readConfig } from "../command-context.ts";
import { masterKeyFile, withMasterKey } from "../master-key.ts";
import { writeOperatorFile } from "../operator-file.ts";
import { releaseMemoryWhenIdle } from "./idle-memory.ts";
import { loadApp } from "./load-app.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { letYoungHeapGrow } from "./young-heap.ts";

/** Runs the server for development until it is told to stop. */
export async function runDev(command: Command): Promise<void> {
  const settled = await readConfig(command, "dev");
  const config = await withMasterKey(settled);
  const log = createLog(config.log);
  const operatorToken = generateToken("operatorToken", systemRandom);
  const { startApp } = await loadApp();
  const app = await startApp(config, { log, operatorToken });
  letYoungHeapGrow();
  releaseMemoryWhenIdle();
  const removeOperatorFile = await writeOperatorFile(config.dataDirectory, {
    url: config.baseUrl,
    token: operatorToken,
  });
  try {
    // Time since the process started: what the user at the terminal has waited.
    const milliseconds = Math.round(performance.now());
    const setup = await newSetupLink(app, config.baseUrl);
    const addresses = findAddresses(app, config.baseUrl);
    const banner = { config, isKeyMade: settled.masterKeys.length === 0, milliseconds, setup, addresses };
    const ready = {
      ready: true,
      milliseconds,
      issuer: config.baseUrl,
      ...addresses,
      ...(setup !== undefined && { setup }),
    };
    await runUntilStopped(app, log, () => answer(command, ready, describe(banner)));
  } finally {
    await removeOperatorFile();
  }
}

async function newSetupLink({ domain }: App, baseUrl: string): Promise<string | undefined> {
  const instance = await domain.findInstanceByHost(new URL(baseUrl).hostname);
  if (instance === undefined) return undefined;
  const call = { instanceId: instance.instanceId, requestId: "dev", now: domain.clock(), language: "en" } as const;
  const secret = await issueSetupLink(domain, call);
  return secret && setupLink(baseUrl, secret.reveal());
}

const pages = {
  start: "/",
  console: "/ui/console",
  account: "/ui/account",
  api: "/docs",
  inbox: "/ui/dev/inbox",
} as const;

type Addresses = Partial<Record<keyof typeof pages, string>>;

/** Returns the addresses of the pages in this build. */
function findAddresses(app: App, baseUrl: string): Addresses {
  const served = Object.entries(pages).filter(([, path]) => app.serves(path));
  return Object.fromEntries(served.map(([name, path]) => [name, baseUrl + path]));
}

interface Banner {
  readonly config: Config;
  readonly isKeyMade: boolean;
  readonly milliseconds: number;
  readonly setup: string | undefined;
  readonly addresses: Addresses;
}

function describe({ config, isKeyMade, milliseconds, setup, addresses }: Banner): string {
  const at = relative(process.cwd(), config.dataDirectory) || ".";
  const database = config.databaseUrl === undefined ? `embedded, in ${at}` : "PostgreSQL, of DOORWARD_DATABASE_URL";
  const key = isKeyMade
    ? `${relative(process.cwd(), masterKeyFile(config))} (only you can read it)`
    : "of the settings";
  return [
    bold(`Doorward ${version} · development · Node ${process.versions.node}`),
    "",
    `  database   ${database}`,
    `  master key ${key}`,
    `  ready      ${bold(config.baseUrl)}  (${(milliseconds / 1000).toFixed(1)} s)`,
    "",
    ...(setup === undefined ? [] : inviteToSetUp(setup)),
    ...(addresses.console === undefined ? [] : [`  Console    ${addresses.console}`]),
    ...(addresses.account === undefined ? [] : [`  Account    ${addresses.account}`]),
    ...(addresses.api === undefined ? [] : [`  API        ${addresses.api}`]),
    ...(addresses.inbox === undefined ? [] : [`  Mail       ${addresses.inbox}  (captured, nothing is sent)`]),
    `  Issuer     ${config.baseUrl}`,
    "",
    "  Ctrl+C stops it.",
  ].join("\n");
}

const inviteToSetUp = (setup: string): string[] => [
  "  Next: create your administrator (works once, within 15 minutes, from this machine)",
  `  → ${bold(setup)}`,
  "",
];

// Honors NO_COLOR, and does nothing without a terminal.
const bold = (text: string): string => styleText("bold", text, { stream: process.stdout });
