import { type Reader, sql, type Tx } from "../../database/index.ts";
import type { BuiltInName } from "./built-in-application.ts";

/** Makes an application the one of this name for the instance. */
export async function putBuiltIn(
  tx: Tx,
  { name, applicationId }: { readonly name: BuiltInName; readonly applicationId: string },
): Promise<void> {
  await tx.run(sql`insert into built_in_applications (instance_id, name, application_id)
    values (${tx.instanceId}, ${name}, ${applicationId})
    on conflict (instance_id, name) do update set application_id = excluded.application_id`);
}

/** Finds the client id of the application of this name. */
export async function findBuiltInClientId(
  reader: Reader,
  instanceId: string,
  name: BuiltInName,
): Promise<string | undefined> {
  const row = await reader.maybe<{ clientId: string }>(sql`select a.client_id as "clientId" from built_in_applications b
    join applications a on a.instance_id = b.instance_id and a.application_id = b.application_id
    where b.instance_id = ${instanceId} and b.name = ${name}`);
  return row?.clientId;
}

/** Lists the ids of the applications that come with an instance. */
export async function listBuiltInApplicationIds(reader: Reader, instanceId: string): Promise<string[]> {
  const rows = await reader.all<{ applicationId: string }>(sql`select application_id as "applicationId"
    from built_in_applications where instance_id = ${instanceId}`);
  return rows.map(({ applicationId }) => applicationId);
}

/** Whether an application comes with the instance. */
export async function isBuiltIn(reader: Reader, instanceId: string, applicationId: string): Promise<boolean> {
  const row = await reader.maybe(sql`select 1 as "found" from built_in_applications
    where instance_id = ${instanceId} and application_id = ${applicationId}`);
  return row !== undefined;
}
