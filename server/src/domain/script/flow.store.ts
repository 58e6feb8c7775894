import { type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { FlowName, TriggerName } from "./flow.ts";
import { type ScriptRow, scriptColumns, toScript } from "./script.store.ts";
import type { Script } from "./script.ts";

interface FlowKey {
  readonly organizationId: string;
  readonly flow: FlowName;
}

interface TriggerKey extends FlowKey {
  readonly trigger: TriggerName;
}

export interface FlowRow {
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

const flowColumns = text(`sequence, created_at as "createdAt", changed_at as "changedAt"`);

export function findFlow(reader: Reader, instanceId: string, key: FlowKey): Promise<FlowRow | undefined> {
  return reader.maybe<FlowRow>(sql`select ${flowColumns} from flows
    where instance_id = ${instanceId} and organization_id = ${key.organizationId} and flow = ${key.flow}`);
}

/** Writes that the flow has changed. */
export async function putFlow(tx: Tx, { organizationId, flow }: FlowKey, sequence: number): Promise<void> {
  await tx.run(sql`insert into flows (instance_id, organization_id, flow, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${organizationId}, ${flow}, ${sequence}, ${tx.now}, ${tx.now})
    on conflict (instance_id, organization_id, flow) do update
      set sequence = excluded.sequence, changed_at = excluded.changed_at`);
}

export interface PlacedScript {
  readonly flow: FlowName;
  readonly trigger: TriggerName;
  readonly script: Script;
}

type PlacedRow = ScriptRow & { readonly flow: FlowName; readonly trigger: TriggerName };

const placed = text(`from flow_scripts f join scripts
  on scripts.instance_id = f.instance_id and scripts.script_id = f.script_id`);

const toPlaced = ({ flow, trigger, ...row }: PlacedRow): PlacedScript => ({ flow, trigger, script: toScript(row) });

/** Lists the scripts of a flow in the order in which they run. */
export async function listScriptsOfFlow(reader: Reader, instanceId: string, key: FlowKey): Promise<PlacedScript[]> {
  const rows = await reader.all<PlacedRow>(sql`select f.flow, f.trigger_name as "trigger", ${scriptColumns} ${placed}
    where f.instance_id = ${instanceId} and f.organization_id = ${key.organizationId} and f.flow = ${key.flow}
    order by f.trigger_name, f.place`);
  return rows.map(toPlaced);
}

/** Lists the active scripts of all flows of an organization in the order in which they run. */
export async function listActiveScripts(
  reader: Reader,
  instanceId: string,
  organizationId: string,
): Promise<PlacedScript[]> {
  const rows = await reader.all<PlacedRow>(sql`select f.flow, f.trigger_name as "trigger", ${scriptColumns} ${placed}
    where f.instance_id = ${instanceId} and f.organization_id = ${organizationId} and scripts.state = 'active'
    order by f.flow, f.trigger_name, f.place`);
  return rows.map(toPlaced);
}

/** Lists where in the instance active scripts run. */
export async function listTriggersInUse(
  reader: Reader,
  instanceId: string,
): Promise<{ readonly flow: FlowName; readonly trigger: TriggerName; readonly organizationId: string }[]> {
  return reader.all<{ flow: FlowName; trigger: TriggerName; organizationId: string }>(sql`select distinct f.flow,
      f.trigger_name as "trigger", f.organization_id as "organizationId" ${placed}
    where f.instance_id = ${instanceId} and scripts.state = 'active'`);
}

/** Lists the ids of the scripts of a trigger in their order. */
export async function listScriptIdsOfTrigger(reader: Reader, instanceId: string, key: TriggerKey): Promise<string[]> {
  const rows = await reader.all<{ scriptId: string }>(sql`select script_id as "scriptId" from flow_scripts
    where instance_id = ${instanceId} and organization_id = ${key.organizationId} and flow = ${key.flow}
      and trigger_name = ${key.trigger}
    order by place`);
  return rows.map(({ scriptId }) => scriptId);
}

/** Replaces the scripts of a trigger. */
export async function replaceScriptsOfTrigger(tx: Tx, key: TriggerKey, scriptIds: readonly string[]): Promise<void> {
  const { organizationId, flow, trigger } = key;
  await tx.run(sql`delete from flow_scripts where instance_id = ${tx.instanceId}
    and organization_id = ${organizationId} and flow = ${flow} and trigger_name = ${trigger}`);
  for (const [position, scriptId] of scriptIds.entries()) {
    await tx.run(sql`insert into flow_scripts (instance_id, organization_id, flow, trigger_name, place, script_id)
      values (${tx.instanceId}, ${organizationId}, ${flow}, ${trigger}, ${position}, ${scriptId})`);
  }
}

/** Takes all scripts out of a flow; returns how many there were. */
export function clearFlowScripts(tx: Tx, { organizationId, flow }: FlowKey): Promise<number> {
  return tx.run(sql`delete from flow_scripts where instance_id = ${tx.instanceId}
    and organization_id = ${organizationId} and flow = ${flow}`);
}

/** Lists where a script runs. */
export function listFlowsOfScript(
  reader: Tx,
  scriptId: string,
): Promise<{ readonly flow: FlowName; readonly trigger: TriggerName }[]> {
  return reader.all<{ flow: FlowName; trigger: TriggerName }>(sql`select flow, trigger_name as "trigger"
    from flow_scripts where instance_id = ${reader.instanceId} and script_id = ${scriptId}
    order by flow, trigger_name`);
}

export async function deleteFlowsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`delete from flow_scripts
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
  await tx.run(sql`delete from flows where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
}
