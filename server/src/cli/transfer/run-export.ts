import type { Command } from "commander";
import { systemClock } from "../../base/clock.ts";
import { parseMasterKey } from "../../base/master-key.ts";
import { systemRandom } from "../../base/random.ts";
import { createVault, type Vault } from "../../base/vault.ts";
import { type Config, ConfigError } from "../../config/index.ts";
import { openSnapshot, type Snapshot } from "../../database/index.ts";
import { listInstanceIds } from "../../domain/instance/index.ts";
import { inspectSigningKeys } from "../../domain/signing-key/index.ts";
import { type Export, totalOf, writeExport } from "../../domain/transfer/index.ts";
import { answer, tell } from "../command-context.ts";
import { locationOf, readHostConfig } from "../on-host.ts";
import { readFileSecret } from "./file-secret.ts";
import { writeNewFile } from "./new-file.ts";
import { count, createProgress } from "./progress.ts";

interface Options {
  readonly output: string;
  readonly instance?: string;
  readonly overwrite?: boolean;
}

/** Exports the database, or one instance of it, into a file. */
export async function runExport(command: Command): Promise<void> {
  const { output, instance, overwrite = false } = command.opts<Options>();
  const config = await readHostConfig(command);
  const vault = vaultOf(config);
  const snapshot = await openSnapshot(locationOf(config));
  let made: Export | undefined;
  try {
    await checkKey(snapshot, vault, instance);
    const secret = await readFileSecret(command, { isNew: true });
    await writeNewFile(output, { replaces: overwrite }, async () => {
      made = await writeExport({
        snapshot,
        vault,
        instanceId: instance,
        secret,
        clock: systemClock,
        random: systemRandom,
        onProgress: createProgress("wrote"),
      });
      return made.bytes;
    });
  } finally {
    await snapshot.close();
  }
  report(command, output, made);
}

function report(command: Command, file: string, made: Export | undefined): void {
  const { contents, digest, unreadable } = made?.written ?? {};
  if (made === undefined || contents === undefined || unreadable === undefined) throw new Error("nothing was written");
  if (unreadable > 0) {
    tell(
      `${count(unreadable)} secrets are encrypted under a master key that is not configured: they are exported as they are`,
    );
  }
  const { instances, isWhole, rows } = contents;
  const { createdAt, migration, product } = made.header;
  answer(
    command,
    { file, createdAt, product, migration: migration.number, isWhole, instances, rows, unreadable, digest },
    [
      `Exported ${count(totalOf(rows))} rows to ${file}`,
      ...instances.map(({ instanceId, name }) => `  instance  ${name} (${instanceId})`),
      `  users     ${count(rows["users"] ?? 0)}`,
      `  events    ${count(rows["events"] ?? 0)}`,
      `  digest    ${digest}`,
    ].join("\n"),
  );
}

/** Builds what seals and opens secrets with the configured master keys. */
export function vaultOf({ masterKeys }: Pick<Config, "masterKeys">): Vault {
  const [writing, ...reading] = masterKeys.map((key) => parseMasterKey(key.reveal()));
  if (writing === undefined) throw new Error("no master key");
  return createVault({ writing, reading, random: systemRandom });
}

/** Refuses a master key that does not open the signing keys: the file would lack what it was made for. */
async function checkKey({ read }: Snapshot, vault: Vault, instanceId: string | undefined): Promise<void> {
  for (const each of instanceId === undefined ? await listInstanceIds(read) : [instanceId]) {
    const { unreadable } = await inspectSigningKeys({ read, vault }, each);
    if (!unreadable.some(({ reason }) => reason === "unknown_master_key")) continue;
    throw new ConfigError(
      "DOORWARD_MASTER_KEY",
      `is not the master key of instance ${each}`,
      "set the key that encrypted the data, and former keys after it",
    );
  }
}
