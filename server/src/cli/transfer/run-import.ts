import { createReadStream } from "node:fs";
import type { Command } from "commander";
import { systemClock } from "../../base/clock.ts";
import {
  checkExport,
  explainOtherMigration,
  loadExport,
  type OnProgress,
  openExport,
  type ReadExport,
  totalOf,
} from "../../domain/transfer/index.ts";
import { answer, readConfig, tell } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { masterKeyFile, withMasterKey } from "../master-key.ts";
import { locationOf } from "../on-host.ts";
import { printable } from "../printable.ts";
import { readFileSecret } from "./file-secret.ts";
import { count, createProgress } from "./progress.ts";
import { vaultOf } from "./run-export.ts";

/** Imports a file into an empty database, or only reads it. */
export async function runImport(command: Command, path: string): Promise<void> {
  const isCheck = command.opts<{ check?: boolean }>().check === true;
  const source = createReadStream(path);
  try {
    const opened = await openExport(source).catch((error: unknown) => {
      throw isMissing(error) ? new CommandError(`there is no file ${path}`, { cause: error }) : error;
    });
    const problem = explainOtherMigration(opened.header);
    if (problem !== undefined && !isCheck) throw new CommandError(problem);
    const secret = await readFileSecret(command, { isNew: false });
    const parts = (onProgress: OnProgress) => opened.read(secret, onProgress);
    const { createdAt, migration, product } = opened.header;
    const made = { file: path, createdAt, product, migration: migration.number };
    if (isCheck) {
      const read = await checkExport(parts(createProgress("read")));
      if (problem !== undefined) tell(printable(problem));
      return report(command, { ...made, ...read, isImportable: problem === undefined }, "The file is complete");
    }
    const config = await readConfig(command, "dev");
    const makeVault = async () => vaultOf(await withMasterKey(config));
    const deps = { location: locationOf(config), makeVault, clock: systemClock };
    const read = await loadExport(deps, opened.header, parts(createProgress("loaded")));
    if (config.masterKeys.length === 0) {
      tell(`secrets are encrypted under the master key in ${masterKeyFile(config)}; the server needs this key`);
    }
    report(command, { ...made, ...read }, `Imported ${path}`);
  } finally {
    source.destroy();
  }
}

interface Made {
  readonly file: string;
  readonly createdAt: string;
  readonly product: string;
  readonly migration: number;
  readonly isImportable?: boolean;
}

function report(command: Command, { contents, end, ...made }: Made & ReadExport, title: string): void {
  const { instances, isWhole } = contents;
  const { rows, digest } = end;
  answer(
    command,
    { ...made, isWhole, instances, rows, digest },
    [
      `${title}: ${count(totalOf(rows))} rows, exported on ${made.createdAt} by version ${made.product}`,
      ...instances.map(({ instanceId, name }) => `  instance  ${name} (${instanceId})`),
      `  users     ${count(rows["users"] ?? 0)}`,
      `  events    ${count(rows["events"] ?? 0)}`,
      `  digest    ${digest}`,
    ].join("\n"),
  );
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
