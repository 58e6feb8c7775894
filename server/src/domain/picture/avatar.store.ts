import { inTurn, type Reader, sql, type Tx } from "../../database/index.ts";

/** A picture as it is stored. */
export interface StoredAvatar {
  readonly contentType: string;
  /** Base64. */
  readonly content: string;
}

/** Stores the picture of a user in place of the one before. */
export async function putAvatar(
  tx: Tx,
  { userId, fileName, contentType, content }: StoredAvatar & { readonly userId: string; readonly fileName: string },
): Promise<void> {
  await tx.run(sql`insert into user_avatars (instance_id, user_id, file_name, content_type, content, created_at)
    values (${tx.instanceId}, ${userId}, ${fileName}, ${contentType}, ${content}, ${tx.now})
    on conflict (instance_id, user_id) do update set file_name = excluded.file_name, content_type = excluded.content_type,
      content = excluded.content, created_at = excluded.created_at`);
}

export async function deleteAvatar(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from user_avatars where instance_id = ${tx.instanceId} and user_id = ${userId}`);
}

/** Sets the file name of a user's picture; null for none. */
export async function updateAvatarFile(tx: Tx, userId: string, fileName: string | null): Promise<void> {
  await tx.run(sql`update users set avatar_file = ${fileName}
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "alone", "user", userId)}`);
}

/** Finds the picture with this name, of any user. */
export function findAvatarByName(
  reader: Reader,
  instanceId: string,
  fileName: string,
): Promise<StoredAvatar | undefined> {
  return reader.maybe(sql`select content_type as "contentType", content from user_avatars
    where instance_id = ${instanceId} and file_name = ${fileName}`);
}

/** Whether there is a picture with this name, of any user. */
export async function hasAvatar(reader: Reader, instanceId: string, fileName: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from user_avatars
    where instance_id = ${instanceId} and file_name = ${fileName}`);
  return row !== undefined;
}
