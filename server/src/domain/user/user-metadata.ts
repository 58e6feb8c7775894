import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { deleteMetadata, type ListMetadata, listMetadata, type MetadataEntry, setMetadata } from "../metadata/index.ts";
import { type AuthorizeDeps, authorizeUser, holdAuthorizedUser, readUser, writeOthersData } from "./authorize-user.ts";
import { recordUserEvent } from "./record-user.ts";

interface MetadataDeps extends AuthorizeDeps {
  readonly database: Database;
}

const ownerOf = (userId: string) => ({ type: "user", id: userId }) as const;

/** Sets metadata of a user. Users do not set their own: applications may base decisions on it. */
export async function setUserMetadata(
  deps: MetadataDeps,
  call: Call,
  input: { readonly userId: string; readonly metadata: readonly MetadataEntry[] },
): Promise<{ readonly changedAt: number }> {
  await deps.database.change(call, async (tx) => {
    const user = await holdAuthorizedUser(tx, input.userId, writeOthersData(deps));
    await putUserMetadata(tx, user, input.metadata);
  });
  return { changedAt: call.now };
}

/** Step: sets metadata of a user, for a caller who may write the user. */
export async function putUserMetadata(
  tx: Tx,
  user: { readonly userId: string; readonly organizationId: string },
  metadata: readonly MetadataEntry[],
): Promise<void> {
  const keys = await setMetadata(tx, ownerOf(user.userId), metadata);
  if (keys.length > 0) await recordUserEvent(tx, user, { type: "user.metadata.set", payload: { keys } });
}

/** Removes metadata of a user. Keys that do not exist are ignored. */
export async function deleteUserMetadata(
  deps: MetadataDeps,
  call: Call,
  input: { readonly userId: string; readonly keys: readonly string[] },
): Promise<void> {
  await deps.database.change(call, async (tx) => {
    const user = await holdAuthorizedUser(tx, input.userId, writeOthersData(deps));
    const keys = await deleteMetadata(tx, ownerOf(user.userId), input.keys);
    if (keys.length > 0) await recordUserEvent(tx, user, { type: "user.metadata.removed", payload: { keys } });
  });
}

/** Lists metadata of a user that the caller may read. */
export async function listUserMetadata(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ListMetadata, "owner"> & { readonly userId: string },
): ReturnType<typeof listMetadata> {
  const { userId, ...wanted } = input;
  await authorizeUser(deps.database.read, call, userId, readUser);
  return listMetadata(deps.database.read, call.instanceId, { ...wanted, owner: ownerOf(userId) });
}
