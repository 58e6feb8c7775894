import { AddressUnavailable } from "../base/address-unavailable.ts";
import { Fault } from "../base/fault.ts";
import { MasterKeyError } from "../base/master-key.ts";
import { VaultError } from "../base/vault.ts";
import { ConfigError } from "../config/index.ts";
import { DatabaseUnavailable, DirectoryInUse, MigrationRefused } from "../database/index.ts";
import { TransferError } from "../domain/transfer/index.ts";
import { createTexts } from "../text/index.ts";
import { CommandError } from "./command-error.ts";

/** A failure, explained for people and for programs. */
export interface Explanation {
  readonly problem: string;
  readonly setting?: string | undefined;
  readonly fix?: string | undefined;
  /** 1: the command failed; 2: wrong usage. */
  readonly exitCode: 1 | 2;
}

/** Returns cause, setting and fix of any failure of a command. */
export function explain(error: unknown): Explanation {
  if (error instanceof ConfigError) {
    const { setting, problem, fix } = error;
    return { problem: `${setting} ${problem}`, setting, fix, exitCode: 2 };
  }
  return { ...explainFailure(error), exitCode: 1 };
}

type Failure = Omit<Explanation, "exitCode">;

function explainFailure(error: unknown): Failure {
  if (error instanceof CommandError) return { problem: error.message, setting: error.setting, fix: error.fix };
  if (error instanceof DirectoryInUse) return directoryInUse(error);
  if (error instanceof TransferError) return { problem: error.message, fix: error.fix };
  if (error instanceof MigrationRefused) return { problem: error.message };
  if (error instanceof Fault) return { problem: createTexts().explain("en", error) };
  if (error instanceof VaultError || error instanceof MasterKeyError) {
    const fix = "set the key that encrypted this data";
    return { problem: `a secret in the database cannot be read: ${error.message}`, setting: masterKey, fix };
  }
  if (error instanceof DatabaseUnavailable) return databaseUnavailable(error);
  if (error instanceof AddressUnavailable) {
    const { message: problem, setting } = error;
    return { problem, setting, fix: "stop what listens there, or use another address of this machine" };
  }
  return explainCode(error) ?? { problem: error instanceof Error ? error.message : String(error) };
}

const directory = "DOORWARD_DATA_DIR";
const database = "DOORWARD_DATABASE_URL";
const masterKey = "DOORWARD_MASTER_KEY";

const directoryInUse = ({ message }: Error): Failure => ({
  problem: message,
  setting: directory,
  fix: "stop that process first, or use another directory with --data-dir",
});

function databaseUnavailable({ message, cause }: DatabaseUnavailable): Failure {
  const isFile = message.startsWith("the database file");
  if (isFile) return { problem: message, setting: directory, fix: "check the disk, and who may write the directory" };
  const isReachable = { setting: database, fix: "check that PostgreSQL runs and is reachable" };
  return { ...(explainCode(cause) ?? isReachable), problem: message };
}

/** Explains failures of the system and of PostgreSQL by their code. */
function explainCode(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const { code } = error;
  const known = "severity" in error ? postgresFixes[code] : systemFixes[code];
  return known && { problem: error.message, ...known };
}

// SQLSTATE (PostgreSQL, appendix A).
const postgresFixes: Readonly<Record<string, Omit<Failure, "problem">>> = {
  "28P01": { setting: database, fix: "check user and password" },
  "28000": { setting: database, fix: "check the user, and pg_hba.conf of the server" },
  "3D000": { setting: database, fix: "create the database first: createdb <name>" },
  "42501": { setting: database, fix: "grant the user the right to create tables in the database" },
  "53300": { setting: database, fix: "raise max_connections of the server, or run fewer nodes and workers" },
};

// errno.h
const systemFixes: Readonly<Record<string, Omit<Failure, "problem">>> = {
  EADDRINUSE: { setting: "DOORWARD_PORT", fix: "stop what listens there, or use another port with --port" },
  EADDRNOTAVAIL: { setting: "DOORWARD_HOST", fix: "use an address of this machine, for example 127.0.0.1 or 0.0.0.0" },
  ENOTFOUND: { setting: "DOORWARD_HOST or DOORWARD_DATABASE_URL", fix: "check the host name" },
  EACCES: { fix: "give the user who runs Doorward permission for it (also needed for ports below 1024)" },
  EPERM: { fix: "give the user who runs Doorward permission for it" },
  EROFS: { setting: directory, fix: "use a writable directory" },
  ENOSPC: { setting: directory, fix: "free space on the disk" },
  ENOTDIR: { setting: directory, fix: "use a directory" },
  ECONNREFUSED: { setting: database, fix: "check host and port, and that PostgreSQL runs" },
  ETIMEDOUT: { setting: database, fix: "check the host, the port and any firewall between them" },
};
