import { list, type Reader, sql } from "../../database/index.ts";
import type { PrivateLabeling } from "../project/index.ts";
import type { ApplicationKind } from "./application.ts";

export interface ClientRow {
  readonly applicationId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly kind: ApplicationKind;
  readonly name: string;
  readonly secretHash: string | null;
  readonly configuration: string;
  readonly isActive: number;
  readonly isRegistered: number;
  readonly hasOwnAddresses: number;
  /** What it is, where it comes with the instance. A newer version of the program may have made others. */
  readonly builtInName: string | null;
  /** Primary host of the instance, where the application comes with it. */
  readonly builtInHost: string | null;
  readonly isRoleAssertionOn: number;
  readonly isAuthorizationRequired: number;
  readonly isProjectAccessRequired: number;
  readonly privateLabeling: PrivateLabeling;
}

/** Finds the application with this client id, with the relevant settings of its project and organization. */
export async function findClientRow(
  reader: Reader,
  instanceId: string,
  clientId: string,
): Promise<ClientRow | undefined> {
  return reader.maybe<ClientRow>(sql`select a.application_id as "applicationId", a.project_id as "projectId",
      a.organization_id as "organizationId", a.kind as "kind", a.name as "name", a.secret_hash as "secretHash",
      a.configuration as "configuration",
      case when a.state = 'active' and p.state = 'active' and o.state = 'active' then 1 else 0 end as "isActive",
      case when exists (select 1 from registrations r where r.instance_id = ${instanceId} and r.client_id = a.client_id)
        then 1 else 0 end as "isRegistered",
      coalesce((select r.has_own_addresses from registrations r where r.instance_id = ${instanceId}
        and r.client_id = a.client_id), 0) as "hasOwnAddresses",
      (select b.name from built_in_applications b
        where b.instance_id = ${instanceId} and b.application_id = a.application_id) as "builtInName",
      (select d.host from built_in_applications b
        join instance_domains d on d.instance_id = b.instance_id and d.is_primary = 1 and d.is_trusted = 0
        where b.instance_id = ${instanceId} and b.application_id = a.application_id) as "builtInHost",
      p.is_role_assertion_on as "isRoleAssertionOn", p.is_authorization_required as "isAuthorizationRequired",
      p.is_project_access_required as "isProjectAccessRequired", p.private_labeling as "privateLabeling"
    from applications a
    join projects p on p.instance_id = a.instance_id and p.project_id = a.project_id
    join organizations o on o.instance_id = a.instance_id and o.organization_id = a.organization_id
    where a.instance_id = ${instanceId} and a.client_id = ${clientId}`);
}

/**
 * Lists the client ids of the project's applications, oldest first: of those that take part in OAuth, at most so many.
 * The id of a SAML application is internal.
 */
export async function listClientIds(
  reader: Reader,
  instanceId: string,
  { projectId, limit }: { readonly projectId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await reader.all<{ clientId: string }>(sql`select client_id as "clientId" from applications
    where instance_id = ${instanceId} and project_id = ${projectId} and client_id is not null and kind <> 'saml'
    order by created_at, application_id limit ${limit}`);
  return rows.map(({ clientId }) => clientId);
}

// Of names that one statement asks for.
const mostNames = 500;

/** Returns the projects of clients, by client id. Names of no client have none. */
export async function findProjectsOfClients(
  reader: Reader,
  instanceId: string,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let begin = 0; begin < clientIds.length; begin += mostNames) {
    const rows = await reader.all<{ clientId: string; projectId: string }>(sql`
      select client_id as "clientId", project_id as "projectId" from applications
      where instance_id = ${instanceId} and client_id in ${list(clientIds.slice(begin, begin + mostNames))}`);
    for (const { clientId, projectId } of rows) found.set(clientId, projectId);
  }
  return found;
}

/** Who pays for what is sent to a client. */
export interface ClientPayer {
  readonly organizationId: string;
  /** Whether a stranger chose the addresses that the client names; see `isOfStranger`. */
  readonly isOfStranger: boolean;
}

/** Returns who pays for what is sent to clients, by client id. Names of no client have none. */
export async function findPayersOfClients(
  reader: Reader,
  instanceId: string,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, ClientPayer>> {
  const found = new Map<string, ClientPayer>();
  for (let begin = 0; begin < clientIds.length; begin += mostNames) {
    const rows = await reader.all<{ clientId: string; organizationId: string; isOfStranger: number }>(sql`
      select a.client_id as "clientId", a.organization_id as "organizationId",
        case when exists (select 1 from registrations r where r.instance_id = ${instanceId}
          and r.client_id = a.client_id and (a.requires_consent = 1 or r.has_own_addresses = 1))
        then 1 else 0 end as "isOfStranger"
      from applications a
      where a.instance_id = ${instanceId} and a.client_id in ${list(clientIds.slice(begin, begin + mostNames))}`);
    for (const { clientId, organizationId, isOfStranger } of rows) {
      found.set(clientId, { organizationId, isOfStranger: isOfStranger === 1 });
    }
  }
  return found;
}
