import type { Instant } from "../../base/clock.ts";
import { type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { Registration, RegistrationKind } from "./registration.ts";

const columns =
  text(`registrations.client_id as "clientId", registrations.application_id as "applicationId", registrations.organization_id as "organizationId",
  registrations.kind, registrations.client_name as "clientName", registrations.metadata, registrations.created_at as "createdAt"`);

interface Row {
  readonly clientId: string;
  readonly applicationId: string;
  readonly organizationId: string;
  readonly kind: RegistrationKind;
  readonly clientName: string | null;
  readonly metadata: string;
  readonly createdAt: number;
}

/** A registration with what decides whether it can be managed. */
export interface ManagedRegistration {
  readonly registration: Registration;
  readonly tokenHash: string | undefined;
  /** When the token was given. */
  readonly tokenIssuedAt: Instant;
  /** Whether the application is as the client left it when it got the token. */
  readonly isAsLeft: boolean;
  /** The user who registered the client, while they and their organization are active. */
  readonly registrarId: string | undefined;
  /** Application, project and organization are all active. */
  readonly isActive: boolean;
}

interface ManagedRow extends Row {
  readonly tokenHash: string | null;
  readonly tokenIssuedAt: number | null;
  readonly isAsLeft: number;
  readonly registrarId: string | null;
  readonly isActive: number;
}

/** Finds the registration of a client, with the current state of its application, project and organization. */
export async function findRegistration(
  reader: Reader,
  instanceId: string,
  clientId: string,
): Promise<ManagedRegistration | undefined> {
  const row = await reader.maybe<ManagedRow>(sql`select ${columns},
      registrations.token_hash as "tokenHash", registrations.token_issued_at as "tokenIssuedAt",
      case when a.sequence = registrations.token_sequence then 1 else 0 end as "isAsLeft",
      (select u.user_id from users u
        join organizations h on h.instance_id = u.instance_id and h.organization_id = u.organization_id
        where u.instance_id = ${instanceId} and u.user_id = registrations.registrar_id and u.state = 'active'
          and h.state = 'active') as "registrarId",
      case when a.state = 'active' and p.state = 'active' and o.state = 'active' then 1 else 0 end as "isActive"
    from registrations
    join applications a on a.instance_id = registrations.instance_id and a.application_id = registrations.application_id
    join projects p on p.instance_id = a.instance_id and p.project_id = a.project_id
    join organizations o on o.instance_id = a.instance_id and o.organization_id = a.organization_id
    where registrations.instance_id = ${instanceId} and registrations.client_id = ${clientId}`);
  return row && toManaged(row);
}

const toManaged = (row: ManagedRow): ManagedRegistration => ({
  registration: toRegistration(row),
  tokenHash: row.tokenHash ?? undefined,
  tokenIssuedAt: row.tokenIssuedAt ?? 0,
  isAsLeft: row.isAsLeft === 1,
  registrarId: row.registrarId ?? undefined,
  isActive: row.isActive === 1,
});

/** A registration access token as it is stored: with the state of the application that it was given for. */
export interface StoredToken {
  readonly tokenHash: string;
  readonly applicationSequence: number;
}

export async function insertRegistration(
  tx: Tx,
  registration: Registration & {
    readonly token: StoredToken | undefined;
    readonly registrarId: string | undefined;
    readonly source: string | undefined;
    readonly expiresAt: number | undefined;
  },
): Promise<void> {
  await tx.run(sql`insert into registrations (instance_id, client_id, application_id, organization_id, kind, token_hash,
      token_sequence, token_issued_at, registrar_id, client_name, metadata, source, expires_at, used_at, sequence, created_at)
    values (${tx.instanceId}, ${registration.clientId}, ${registration.applicationId}, ${registration.organizationId},
      ${registration.kind}, ${registration.token?.tokenHash}, ${registration.token?.applicationSequence},
      ${registration.token && tx.now}, ${registration.registrarId}, ${registration.clientName},
      ${JSON.stringify(registration.metadata)}, ${registration.source}, ${registration.expiresAt}, null, 1, ${tx.now})`);
}

/** Replaces metadata and token. Returns undefined when the token is not the newest, or the registration is gone. */
export async function replaceRegistration(
  tx: Tx,
  change: {
    readonly clientId: string;
    readonly tokenHash: string;
    readonly newToken: StoredToken;
    readonly clientName: string | undefined;
    readonly metadata: Registration["metadata"];
  },
): Promise<{ readonly registration: Registration; readonly sequence: number } | undefined> {
  const row = await tx.maybe<
    Row & { sequence: number }
  >(sql`update registrations set token_hash = ${change.newToken.tokenHash},
      token_sequence = ${change.newToken.applicationSequence}, token_issued_at = ${tx.now},
      client_name = ${change.clientName}, metadata = ${JSON.stringify(change.metadata)}, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and client_id = ${change.clientId} and token_hash = ${change.tokenHash}
    returning ${columns}, sequence`);
  return row && { registration: toRegistration(row), sequence: row.sequence };
}

/** Removes the token of the registration of an application; undefined where there is none. */
export async function removeToken(
  tx: Tx,
  applicationId: string,
): Promise<{ readonly registration: Registration; readonly sequence: number } | undefined> {
  const row = await tx.maybe<
    Row & { sequence: number }
  >(sql`update registrations set token_hash = null, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and application_id = ${applicationId} and token_hash is not null
    returning ${columns}, sequence`);
  return row && { registration: toRegistration(row), sequence: row.sequence };
}

/** Records that a client named other addresses than those that it was registered with. */
export async function updateHasOwnAddresses(tx: Tx, clientId: string): Promise<void> {
  await tx.run(sql`update registrations set has_own_addresses = 1
    where instance_id = ${tx.instanceId} and client_id = ${clientId}`);
}

/** Replaces the stored content of a client's document. */
export async function updateDocumentMetadata(
  tx: Tx,
  change: Pick<Registration, "clientId" | "clientName" | "metadata">,
): Promise<{ readonly registration: Registration; readonly sequence: number } | undefined> {
  const row = await tx.maybe<
    Row & { sequence: number }
  >(sql`update registrations set client_name = ${change.clientName},
      metadata = ${JSON.stringify(change.metadata)}, sequence = sequence + 1
    where instance_id = ${tx.instanceId} and client_id = ${change.clientId} and kind = 'document'
    returning ${columns}, sequence`);
  return row && { registration: toRegistration(row), sequence: row.sequence };
}

/** Deletes the registration of an application, if it has one. Returns its client and the sequence of the deletion. */
export async function deleteRegistrationRow(
  tx: Tx,
  applicationId: string,
): Promise<{ readonly registration: Registration; readonly sequence: number } | undefined> {
  const row = await tx.maybe<Row & { sequence: number }>(sql`delete from registrations
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}
    returning ${columns}, sequence + 1 as "sequence"`);
  return row && { registration: toRegistration(row), sequence: row.sequence };
}

function toRegistration({ clientName, metadata, ...row }: Row): Registration {
  const { clientId, applicationId, organizationId, kind, createdAt } = row;
  return {
    clientId,
    applicationId,
    organizationId,
    kind,
    clientName: clientName ?? undefined,
    metadata: JSON.parse(metadata),
    createdAt,
  };
}
