import type { Command } from "commander";
import { createLog } from "../app/log.ts";
import type { Config } from "../config/index.ts";
import { openDatabase, planMigrations } from "../database/index.ts";
import { answer, readConfig } from "./command-context.ts";

/** Applies the pending migrations, or prints them. */
export async function runMigrate(command: Command): Promise<void> {
  const isPlan = command.opts<{ plan?: boolean }>().plan === true;
  const config = await readConfig(command, "dev");
  const location = locationOf(config);
  const pending = await planMigrations(location);
  const names = pending.map(({ number, name }) => `${String(number).padStart(4, "0")}_${name}`);
  if (!isPlan && pending.length > 0) {
    const log = createLog(config.log);
    const database = await openDatabase({ ...location, warn: (message, details) => log.warn(details ?? {}, message) });
    await database.close();
  }
  const verb = isPlan ? "to apply" : "applied";
  const list = names.map((name) => `  ${name}`).join("\n");
  answer(
    command,
    { [isPlan ? "pending" : "applied"]: names },
    names.length === 0 ? "The schema is up to date." : `${verb}:\n${list}`,
  );
}

const locationOf = (config: Config) =>
  config.databaseUrl === undefined ? { directory: config.dataDirectory } : { url: config.databaseUrl.reveal() };
