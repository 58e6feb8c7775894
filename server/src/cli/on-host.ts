import process from "node:process";
import type { Command } from "commander";
import { checkMasterKey } from "../app/check-master-key.ts";
import type { Domain } from "../app/domain.ts";
import { createLog } from "../app/log.ts";
import { openDomain } from "../app/open-domain.ts";
import type { Call } from "../call/index.ts";
import { type Config, loadConfig } from "../config/index.ts";
import { type DatabaseLocation, DirectoryInUse, planMigrations } from "../database/index.ts";
import { findFirstInstance, type Instance } from "../domain/instance/index.ts";
import { operatorCall } from "../domain/setup/index.ts";
import { gather } from "./command-context.ts";
import { CommandError } from "./command-error.ts";
import { withExistingMasterKey } from "./master-key.ts";

/** The environment of a command on the host. */
export interface Host {
  readonly domain: Domain;
  readonly instance: Instance;
  /** Has the permissions of an instance owner. */
  readonly call: Call;
  readonly config: Config;
}

export interface OnHostOptions {
  /** What to do while a server uses the data directory, in the imperative. */
  readonly whileRunning: string;
}

/** Runs a command directly on the data, without a server. Never creates data, and never changes a schema. */
export async function onHost<Result>(
  command: Command,
  { whileRunning }: OnHostOptions,
  work: (host: Host) => Promise<Result>,
): Promise<Result> {
  const config = await readHostConfig(command);
  const domain = await openDomain(config, { log: createLog(config.log) }).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new CommandError(error.message, { setting: "DOORWARD_DATA_DIR", fix: whileRunning, cause: error });
  });
  try {
    const instance = await findFirstInstance(domain.database.read);
    if (instance === undefined) throw nothingThere(config);
    await checkMasterKey(domain, instance);
    return await work({ domain, instance, call: operatorCall(instance.instanceId, domain.clock()), config });
  } finally {
    await domain.database.close();
  }
}

/** Returns the configuration of a command on the host, after checking that there is data with a matching schema. */
export async function readHostConfig(command: Command): Promise<Config> {
  const isTerminal = process.stderr.isTTY === true;
  const config = loadConfig(await gather(command), { mode: "dev", isTerminal });
  const pending = await planMigrations(locationOf(config));
  if (pending[0]?.number === 1) throw nothingThere(config);
  if (pending.length > 0) {
    const names = pending.map(({ number, name }) => `${number} (${name})`).join(", ");
    throw new CommandError(`the database is older than this program: it lacks ${names}`, {
      fix: "run: doorward migrate",
    });
  }
  return { ...(await withExistingMasterKey(config)), migrate: false };
}

/** Returns where the database of a configuration is. */
export const locationOf = ({ databaseUrl, dataDirectory }: Config): DatabaseLocation =>
  databaseUrl === undefined ? { directory: dataDirectory } : { url: databaseUrl.reveal() };

function nothingThere({ databaseUrl, dataDirectory }: Config): CommandError {
  const isEmbedded = databaseUrl === undefined;
  return new CommandError(`there is no Doorward data in ${isEmbedded ? dataDirectory : "this database"} yet`, {
    setting: isEmbedded ? "DOORWARD_DATA_DIR" : "DOORWARD_DATABASE_URL",
    fix: "start the server once, or specify where its data is",
  });
}
