import { inTurn, type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { Application, ApplicationKind, ApplicationState, Configuration } from "./application.ts";
import { type ApplicationRow, applicationColumns, toApplication } from "./application-row.ts";

/** Finds the application with this id, in any state. */
export async function findApplication(
  reader: Reader,
  instanceId: string,
  applicationId: string,
): Promise<Application | undefined> {
  const row = await reader.maybe<ApplicationRow>(sql`select ${applicationColumns} from applications
    where instance_id = ${instanceId} and application_id = ${applicationId}`);
  return row && toApplication(row);
}

/** Returns the application, locked until the unit of work ends. `share`: so that it does not change meanwhile. */
export async function holdApplication(
  tx: Tx,
  applicationId: string,
  mode: "share" | "alone" = "alone",
): Promise<Application | undefined> {
  const row = await tx.maybe<ApplicationRow>(sql`select ${applicationColumns} from applications
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}
    ${inTurn(tx, mode, "application", applicationId)} ${rowLock(tx, mode)}`);
  return row && toApplication(row);
}

// A column of its own, since documents are never searched inside.
const initiatesLogin = (configuration: Configuration): boolean =>
  "initiateLoginUri" in configuration && configuration.initiateLoginUri !== "";

// Likewise: it distinguishes clients of strangers from those for which an administrator vouches.
const requiresConsent = (configuration: Configuration): boolean =>
  "isConsentRequired" in configuration && configuration.isConsentRequired;

/** Inserts the application; undefined when the id or the name is taken. */
export async function insertApplication(
  tx: Tx,
  application: {
    applicationId: string;
    projectId: string;
    organizationId: string;
    name: string;
    nameKey: string;
    kind: ApplicationKind;
    clientId: string;
    secretHash: string | undefined;
    configuration: Configuration;
    sequence: number;
  },
): Promise<Application | undefined> {
  const row = await tx.maybe<ApplicationRow>(sql`insert into applications (instance_id, application_id, project_id,
      organization_id, name, name_key, state, kind, client_id, secret_hash, configuration, initiates_login, requires_consent,
      sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${application.applicationId}, ${application.projectId}, ${application.organizationId},
      ${application.name}, ${application.nameKey}, 'active', ${application.kind}, ${application.clientId},
      ${application.secretHash}, ${JSON.stringify(application.configuration)}, ${initiatesLogin(application.configuration)},
      ${requiresConsent(application.configuration)}, ${application.sequence}, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${applicationColumns}`);
  return row && toApplication(row);
}

/** Replaces name and configuration, and removes the secret when it is no longer used. */
export async function updateApplicationRow(
  tx: Tx,
  application: {
    applicationId: string;
    name: string;
    nameKey: string;
    configuration: Configuration;
    keepsSecret: boolean;
  },
): Promise<Application | undefined> {
  const row = await tx.maybe<ApplicationRow>(sql`update applications set name = ${application.name},
      name_key = ${application.nameKey}, configuration = ${JSON.stringify(application.configuration)},
      initiates_login = ${initiatesLogin(application.configuration)},
      requires_consent = ${requiresConsent(application.configuration)},
      secret_hash = case when ${application.keepsSecret} = 1 then secret_hash end,
      sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and application_id = ${application.applicationId}
    ${inTurn(tx, "alone", "application", application.applicationId)} returning ${applicationColumns}`);
  return row && toApplication(row);
}

/** Sets the state, unless the application has it already. */
export async function updateApplicationState(
  tx: Tx,
  applicationId: string,
  state: ApplicationState,
): Promise<Application | undefined> {
  const row = await tx.maybe<ApplicationRow>(sql`update applications
    set state = ${state}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and application_id = ${applicationId} and state <> ${state}
    ${inTurn(tx, "alone", "application", applicationId)} returning ${applicationColumns}`);
  return row && toApplication(row);
}

export async function updateSecretHash(
  tx: Tx,
  applicationId: string,
  secretHash: string,
): Promise<Application | undefined> {
  const row = await tx.maybe<ApplicationRow>(sql`update applications
    set secret_hash = ${secretHash}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}
    ${inTurn(tx, "alone", "application", applicationId)} returning ${applicationColumns}`);
  return row && toApplication(row);
}

/** Increments and returns the sequence of the application, for a change of something that is part of it. */
export async function advanceApplication(tx: Tx, applicationId: string): Promise<number> {
  const row = await tx.maybe<{ sequence: number }>(sql`update applications set sequence = sequence + 1
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}
    ${inTurn(tx, "alone", "application", applicationId)} returning sequence`);
  if (row === undefined) throw new Error(`application ${applicationId} went away while it was held`);
  return row.sequence;
}

/** Deletes the application, its keys, origins and entity id, and returns the sequence of the deletion. */
export async function deleteApplicationRow(tx: Tx, applicationId: string): Promise<number | undefined> {
  await tx.run(sql`delete from application_keys
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}`);
  await tx.run(sql`delete from application_origins
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}`);
  await tx.run(sql`delete from saml_partners
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}`);
  const row = await tx.maybe<{ sequence: number }>(sql`delete from applications
    where instance_id = ${tx.instanceId} and application_id = ${applicationId}
    ${inTurn(tx, "alone", "application", applicationId)} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}
