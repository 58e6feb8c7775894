import { ConfigError } from "../config/index.ts";
import type { Instance } from "../domain/instance/index.ts";
import { inspectSigningKeys } from "../domain/signing-key/index.ts";
import type { Domain } from "./domain.ts";

/** Rejects a master key that does not belong to this data: at startup, and not when the first token is to be signed. */
export async function checkMasterKey({ database, vault }: Domain, { instanceId }: Instance): Promise<void> {
  const { unreadable } = await inspectSigningKeys({ read: database.read, vault }, instanceId);
  const [first] = unreadable;
  if (first === undefined) return;
  if (first.reason !== "unknown_master_key") {
    throw new ConfigError(
      "DOORWARD_MASTER_KEY",
      `does not open signing key ${first.keyId}, which is ${first.reason}`,
      "restore the database from a backup, or delete that key",
    );
  }
  throw new ConfigError(
    "DOORWARD_MASTER_KEY",
    "is not the master key of this data",
    "set the key that encrypted the data; to replace it, put the new key first, then a comma and the former key",
  );
}
