import { type Reader, sql, type Tx } from "../../database/index.ts";

/** The application whose metadata has an entity id. */
export interface EntityRow {
  readonly applicationId: string;
  readonly clientId: string;
}

/** Finds the application with this entity id, in any state. */
export function findEntity(reader: Reader, instanceId: string, entityId: string): Promise<EntityRow | undefined> {
  return reader.maybe<EntityRow>(sql`select application_id as "applicationId", client_id as "clientId" from saml_partners
    where instance_id = ${instanceId} and entity_id = ${entityId}`);
}

/** Gives an application an entity id in place of its former one; false when another application has it. */
export async function putEntity(
  tx: Tx,
  entity: EntityRow & { readonly entityId: string; readonly refreshAt: number | undefined },
): Promise<boolean> {
  const { applicationId, clientId, entityId, refreshAt } = entity;
  await tx.run(sql`delete from saml_partners
    where instance_id = ${tx.instanceId} and application_id = ${applicationId} and entity_id <> ${entityId}`);
  const count =
    await tx.run(sql`insert into saml_partners (instance_id, entity_id, application_id, client_id, refresh_at)
    values (${tx.instanceId}, ${entityId}, ${applicationId}, ${clientId}, ${refreshAt})
    on conflict (instance_id, entity_id) do update set refresh_at = excluded.refresh_at
      where saml_partners.application_id = excluded.application_id`);
  return count > 0;
}

/**
 * Keeps an entity id for an organization, also after its application is gone; false when it is kept for another one,
 * unless this one takes it over.
 */
export async function putEntityClaim(
  tx: Tx,
  claim: { readonly entityId: string; readonly organizationId: string; readonly takesOver: boolean },
): Promise<boolean> {
  const { entityId, organizationId, takesOver } = claim;
  const count = await tx.run(sql`insert into saml_entity_claims (instance_id, entity_id, organization_id)
    values (${tx.instanceId}, ${entityId}, ${organizationId})
    on conflict (instance_id, entity_id) do update set organization_id = excluded.organization_id
      where saml_entity_claims.organization_id = excluded.organization_id or ${takesOver} = 1`);
  return count > 0;
}

/** An application whose metadata has to be fetched again. */
export interface DuePartner {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly refreshAt: number;
}

/** How many partners are listed at a time: in all, and of one organization. */
export interface MostDue {
  readonly inAll: number;
  readonly ofOrganization: number;
}

/**
 * Lists some applications of any instance whose metadata is due, in the turns of instances and of organizations in
 * them: first the one of each that has waited longest.
 */
export const listDuePartners = (
  reader: Reader,
  now: number,
  { inAll, ofOrganization }: MostDue,
): Promise<DuePartner[]> =>
  reader.all<DuePartner>(sql`select instance_id as "instanceId", organization_id as "organizationId",
      application_id as "applicationId", refresh_at as "refreshAt"
    from (select o.*, row_number() over (partition by instance_id order by place, refresh_at, application_id) as turn
      from (select p.instance_id, a.organization_id, p.application_id, p.refresh_at,
          row_number() over (partition by p.instance_id, a.organization_id order by p.refresh_at, p.application_id) as place
        from saml_partners p
        join applications a on a.instance_id = p.instance_id and a.application_id = p.application_id
        where p.refresh_at <= ${now}) o
      where place <= ${ofOrganization}) i
    order by turn, refresh_at, instance_id, application_id limit ${inAll}`);

/** Moves the next fetch, if it is still due at the same instant: the node that moves it performs it. */
export async function moveRefresh(
  tx: Tx,
  { applicationId, refreshAt }: Pick<DuePartner, "applicationId" | "refreshAt">,
  next: number,
): Promise<boolean> {
  const count = await tx.run(sql`update saml_partners set refresh_at = ${next}
    where instance_id = ${tx.instanceId} and application_id = ${applicationId} and refresh_at = ${refreshAt}`);
  return count > 0;
}
