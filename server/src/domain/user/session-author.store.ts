import type { Preparation } from "../../call/index.ts";
import { type Reader, sql } from "../../database/index.ts";

/**
 * Lists what the sessions of a user rest on that a caller made by the session API, and that were checked lately and are
 * still good; null for one that does not say.
 */
export async function listPreparationsByCreator(
  reader: Reader,
  instanceId: string,
  { creatorId, userId, since }: { readonly creatorId: string; readonly userId: string; readonly since: number },
): Promise<(readonly Preparation[] | null)[]> {
  const rows = await reader.all<{ preparedBy: string | null }>(sql`select prepared_by as "preparedBy" from sessions
    where instance_id = ${instanceId} and user_id = ${userId} and creator_id = ${creatorId} and terminated_at is null
      and changed_at >= ${since}`);
  return rows.map(({ preparedBy }) => (preparedBy === null ? null : JSON.parse(preparedBy)));
}
