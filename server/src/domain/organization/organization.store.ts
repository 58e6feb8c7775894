import { canonicalName } from "../../base/names/canonical.ts";
import { inTurn, type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { Organization, OrganizationState } from "./organization.ts";

export const columns = text(`organization_id as "organizationId", name, state, primary_domain as "primaryDomain",
  is_deactivated_by_instance as "byInstance", sequence, created_at as "createdAt", changed_at as "changedAt"`);

export interface OrganizationRow {
  readonly organizationId: string;
  readonly name: string;
  readonly state: OrganizationState;
  readonly primaryDomain: string;
  readonly byInstance: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Finds the organization with this id, in any state. */
export async function findOrganization(
  reader: Reader,
  instanceId: string,
  organizationId: string,
): Promise<Organization | undefined> {
  const row = await reader.maybe<OrganizationRow>(sql`select ${columns} from organizations
    where instance_id = ${instanceId} and organization_id = ${organizationId}`);
  return row && toOrganization(row);
}

/**
 * Returns the organization, locked until the unit of work ends, so that nothing created in it can outlive it. `share`
 * permits other shared locks; deletion locks it exclusively. One that is being deleted is absent: its deletion would
 * not end while others create something in it.
 */
export async function holdOrganization(
  tx: Tx,
  organizationId: string,
  hold: "share" | "alone" = "share",
): Promise<Organization | undefined> {
  const row = await tx.maybe<OrganizationRow>(sql`select ${columns} from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and deletion is null
    ${inTurn(tx, hold, "organization", organizationId)} ${rowLock(tx, hold)}`);
  return row && toOrganization(row);
}

/** Returns the organization, locked exclusively until the unit of work ends, even when its deletion has begun. */
export async function holdOrganizationToDelete(tx: Tx, organizationId: string): Promise<Organization | undefined> {
  const row = await tx.maybe<OrganizationRow>(sql`select ${columns} from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    ${inTurn(tx, "alone", "organization", organizationId)} ${rowLock(tx, "alone")}`);
  return row && toOrganization(row);
}

// Login names that a request left half formed. Otherwise the column begins with the request that forms them.
const leftNames = "";

const namesOfRequest = (tx: Tx, ...domain: readonly string[]): string =>
  `${JSON.stringify([tx.call.requestId, ...domain]).slice(0, -1)},`;

/**
 * Returns who forms login names of an organization in batches: another request, also one that a crash ended, or this
 * one, with the domain that is primary already. `left`: a request failed in between. Undefined when all are formed.
 */
export async function findNaming(
  tx: Tx,
  { organizationId, primaryDomain }: Pick<Organization, "organizationId" | "primaryDomain">,
): Promise<"other" | "own" | "left" | undefined> {
  const row = await tx.maybe<{ naming: string }>(sql`select naming as "naming" from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and naming is not null`);
  if (row === undefined) return undefined;
  if (row.naming === leftNames) return "left";
  return row.naming.startsWith(namesOfRequest(tx, canonicalName(primaryDomain))) ? "own" : "other";
}

/** Notes that this request left login names of an organization half formed, if it did. */
export async function leaveNaming(tx: Tx, organizationId: string): Promise<void> {
  await tx.run(sql`update organizations set naming = ${leftNames}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
      and strpos(coalesce(naming, ''), ${namesOfRequest(tx)}) = 1
    ${inTurn(tx, "alone", "organization", organizationId)}`);
}

/** Lists the organizations whose login names this request left half formed. */
export async function listHalfNamed(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{
    organizationId: string;
  }>(sql`select organization_id as "organizationId" from organizations
    where instance_id = ${tx.instanceId} and strpos(coalesce(naming, ''), ${namesOfRequest(tx)}) = 1`);
  return rows.map(({ organizationId }) => organizationId);
}

/** Inserts the organization; undefined when the id or the name is taken. */
export async function insertOrganization(
  tx: Tx,
  organization: { organizationId: string; name: string; nameKey: string; primaryDomain: string; sequence: number },
): Promise<Organization | undefined> {
  const row =
    await tx.maybe<OrganizationRow>(sql`insert into organizations (instance_id, organization_id, name, name_key, state, primary_domain,
      sequence, created_at, changed_at)
    values (${tx.instanceId}, ${organization.organizationId}, ${organization.name}, ${organization.nameKey}, 'active',
      ${organization.primaryDomain},
      ${organization.sequence},
      ${tx.now}, ${tx.now})
    on conflict do nothing returning ${columns}`);
  return row && toOrganization(row);
}

/** Whether an organization of the instance has the name. */
export async function isOrganizationNameTaken(reader: Reader, instanceId: string, nameKey: string): Promise<boolean> {
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from organizations
    where instance_id = ${instanceId} and name_key = ${nameKey}`);
  return row !== undefined;
}

/** Renames the organization, unless it has the name already or is absent. */
export async function updateOrganizationName(
  tx: Tx,
  organizationId: string,
  name: { name: string; nameKey: string },
): Promise<Organization | undefined> {
  const row = await tx.maybe<OrganizationRow>(sql`update organizations
    set name = ${name.name}, name_key = ${name.nameKey}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and name <> ${name.name}
    ${inTurn(tx, "alone", "organization", organizationId)} returning ${columns}`);
  return row && toOrganization(row);
}

/** Activates or deactivates the organization, unless it is in that state already or absent. */
export async function updateOrganizationState(
  tx: Tx,
  organizationId: string,
  { state, isByInstance }: { readonly state: OrganizationState; readonly isByInstance: boolean },
): Promise<Organization | undefined> {
  const byInstance = state === "inactive" && isByInstance ? 1 : 0;
  const row = await tx.maybe<OrganizationRow>(sql`update organizations
    set state = ${state}, is_deactivated_by_instance = ${byInstance}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
      and (state <> ${state} or is_deactivated_by_instance < ${byInstance})
      and (deletion is null or ${state} = 'inactive')
    ${inTurn(tx, "alone", "organization", organizationId)} returning ${columns}`);
  return row && toOrganization(row);
}

/** Whether an administrator of the instance deactivated an organization, so that its own cannot activate it. */
export async function isDeactivatedByInstance(tx: Tx, organizationId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and is_deactivated_by_instance = 1`);
  return row !== undefined;
}

/** Sets the primary domain, unless it is set already or the organization is absent. */
export async function updateOrganizationPrimaryDomain(
  tx: Tx,
  organizationId: string,
  domain: string,
): Promise<Organization | undefined> {
  const row = await tx.maybe<OrganizationRow>(sql`update organizations
    set primary_domain = ${domain}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and primary_domain <> ${domain}
    ${inTurn(tx, "alone", "organization", organizationId)} returning ${columns}`);
  return row && toOrganization(row);
}

/**
 * Step: counts a change of something that belongs to the organization itself (a domain, metadata, settings…). Locks the
 * row until the unit of work ends. Undefined when there is no such organization.
 */
export async function nextOrganizationSequence(tx: Tx, organizationId: string): Promise<Organization | undefined> {
  const row =
    await tx.maybe<OrganizationRow>(sql`update organizations set sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    ${inTurn(tx, "alone", "organization", organizationId)} returning ${columns}`);
  return row && toOrganization(row);
}

/** Deletes the rows of an organization and of its domains, and returns the sequence of the deletion. */
export async function deleteOrganizationRow(tx: Tx, organizationId: string): Promise<number | undefined> {
  await tx.run(sql`delete from organization_domains
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}`);
  const row = await tx.maybe<{ sequence: number }>(sql`delete from organizations
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    ${inTurn(tx, "alone", "organization", organizationId)} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

export function toOrganization({ sequence, createdAt, changedAt, byInstance, ...rest }: OrganizationRow): Organization {
  return {
    ...rest,
    isDeactivatedByInstance: byInstance === 1,
    details: { sequence, createdAt, changedAt, ownerId: rest.organizationId },
  };
}
