import type { Tx } from "../../database/index.ts";
import { updateMachine } from "./profile.store.ts";
import { parseName } from "./profile.ts";
import { recordUserEvent } from "./record-user.ts";
import type { AccessTokenFormat, MachineUser } from "./user.ts";

/** What to change about a service account; absent members stay as they are. */
export interface MachineChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly accessTokenFormat?: AccessTokenFormat | undefined;
}

/** Step: changes a service account. Values that are already set change nothing. */
export async function applyMachine(tx: Tx, user: MachineUser, change: MachineChange): Promise<void> {
  const displayName = change.name === undefined ? user.displayName : parseName(change.name, "name");
  const description = change.description?.trim() ?? user.description;
  const accessTokenFormat = change.accessTokenFormat ?? user.accessTokenFormat;
  const isSame =
    displayName === user.displayName &&
    description === user.description &&
    accessTokenFormat === user.accessTokenFormat;
  if (isSame) return;
  await updateMachine(tx, user.userId, { displayName, description, accessTokenFormat });
  await recordUserEvent(tx, user, {
    type: "user.machine.set",
    payload: { name: displayName, description, accessTokenFormat },
  });
}
