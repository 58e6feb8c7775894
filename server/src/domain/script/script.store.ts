import { type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { Script, ScriptInput, ScriptState } from "./script.ts";
import { formatTrust, parseTrust, type ScriptTrust } from "./script-trust.ts";

/** Columns of a row of scripts (without alias), named for `toScript`. */
export const scriptColumns = text(`scripts.script_id as "scriptId", scripts.organization_id as "organizationId",
  scripts.name, scripts.script, scripts.timeout, scripts.is_allowed_to_fail as "isAllowedToFail", scripts.state,
  scripts.is_by_instance as "trust", scripts.sequence, scripts.created_at as "createdAt",
  scripts.changed_at as "changedAt"`);

export interface ScriptRow {
  readonly scriptId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly script: string;
  readonly timeout: number;
  readonly isAllowedToFail: 0 | 1;
  readonly state: ScriptState;
  readonly trust: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toScript({ sequence, createdAt, changedAt, isAllowedToFail, trust, ...script }: ScriptRow): Script {
  return {
    ...script,
    isAllowedToFail: isAllowedToFail === 1,
    trust: parseTrust(trust),
    details: { sequence, createdAt, changedAt, ownerId: script.organizationId },
  };
}

/** Names a script within its organization. */
export interface ScriptKey {
  readonly organizationId: string;
  readonly scriptId: string;
}

export async function findScript(reader: Reader, instanceId: string, key: ScriptKey): Promise<Script | undefined> {
  const row = await reader.maybe<ScriptRow>(sql`select ${scriptColumns} from scripts
    where instance_id = ${instanceId} and script_id = ${key.scriptId} and organization_id = ${key.organizationId}`);
  return row && toScript(row);
}

/** Returns the script, locked until the unit of work ends. */
export async function holdScript(tx: Tx, key: ScriptKey): Promise<Script | undefined> {
  const row = await tx.maybe<ScriptRow>(sql`select ${scriptColumns} from scripts
    where instance_id = ${tx.instanceId} and script_id = ${key.scriptId} and organization_id = ${key.organizationId}
    ${rowLock(tx, "alone")}`);
  return row && toScript(row);
}

/** Returns which of these scripts the organization has; they cannot be deleted until the unit of work ends. */
export async function holdScriptIds(
  tx: Tx,
  organizationId: string,
  scriptIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  // In a fixed order, so that two transactions that lock several scripts cannot deadlock.
  for (const scriptId of scriptIds.toSorted()) {
    const row = await tx.maybe<{ scriptId: string }>(sql`select script_id as "scriptId" from scripts
      where instance_id = ${tx.instanceId} and script_id = ${scriptId} and organization_id = ${organizationId}
      ${rowLock(tx, "share")}`);
    if (row !== undefined) found.add(row.scriptId);
  }
  return found;
}

/** Returns how many scripts an organization has; at most one more than `most`. */
export async function countScripts(tx: Tx, organizationId: string, most: number): Promise<number> {
  const rows = await tx.all<{ scriptId: string }>(sql`select script_id as "scriptId" from scripts
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} limit ${most + 1}`);
  return rows.length;
}

type WrittenScript = ScriptInput & ScriptKey & { readonly nameKey: string; readonly trust: ScriptTrust };

/** Inserts the script, active; undefined when the organization has one of this name. */
export async function insertScript(tx: Tx, script: WrittenScript): Promise<Script | undefined> {
  const row =
    await tx.maybe<ScriptRow>(sql`insert into scripts (instance_id, script_id, organization_id, name, name_key,
      script, timeout, is_allowed_to_fail, state, is_by_instance, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${script.scriptId}, ${script.organizationId}, ${script.name}, ${script.nameKey},
      ${script.script}, ${script.timeout}, ${script.isAllowedToFail}, 'active', ${formatTrust(script.trust)}, 1, ${tx.now},
      ${tx.now})
    on conflict do nothing returning ${scriptColumns}`);
  return row && toScript(row);
}

/** Replaces the script. Throws UniqueViolation when the organization has another one of this name. */
export async function updateScriptRow(tx: Tx, script: WrittenScript): Promise<Script | undefined> {
  const row = await tx.maybe<ScriptRow>(sql`update scripts set name = ${script.name}, name_key = ${script.nameKey},
      script = ${script.script}, timeout = ${script.timeout}, is_allowed_to_fail = ${script.isAllowedToFail},
      is_by_instance = ${formatTrust(script.trust)}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and script_id = ${script.scriptId} returning ${scriptColumns}`);
  return row && toScript(row);
}

export async function updateScriptState(tx: Tx, scriptId: string, state: ScriptState): Promise<Script | undefined> {
  const row = await tx.maybe<ScriptRow>(sql`update scripts set state = ${state}, sequence = sequence + 1,
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and script_id = ${scriptId} returning ${scriptColumns}`);
  return row && toScript(row);
}

/** Deletes the script, and returns the sequence of the deletion. */
export async function deleteScriptRow(tx: Tx, scriptId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`delete from scripts
    where instance_id = ${tx.instanceId} and script_id = ${scriptId} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

/** Lists all scripts of an organization, locked; there are never many. */
export async function holdScriptsOfOrganization(tx: Tx, organizationId: string): Promise<Script[]> {
  const rows = await tx.all<ScriptRow>(sql`select ${scriptColumns} from scripts
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    order by script_id ${rowLock(tx, "alone")}`);
  return rows.map(toScript);
}
