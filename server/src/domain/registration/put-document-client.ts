import { isDeepStrictEqual } from "node:util";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { type Application, changeApplication, createApplication, holdApplication } from "../application/index.ts";
import { changeOidcConfiguration, type OidcConfiguration } from "../oidc-configuration/index.ts";
import { applicationName, type CreateRegistrationDeps } from "./create-registration.ts";
import { forgetConsents } from "./forget-consents.ts";
import { holdRegistrationProject } from "./hold-registration-project.ts";
import { namedRestrictions, registeredFields } from "./registered-fields.ts";
import { findRegistration, insertRegistration, updateDocumentMetadata } from "./registration.store.ts";
import { type InertMetadata, type Registration, registrationAggregate, registrationPayload } from "./registration.ts";
import { type RegistrationQuota, takeFromQuota } from "./registration-quota.ts";

/** A client as the document at its id describes it. */
export interface DocumentClient {
  /** Address of the document. */
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly configuration: OidcConfiguration;
  readonly metadata: InertMetadata;
  readonly organizationId: string;
  /** Network of the request that named the client first, whose part of the quota it takes. */
  readonly source: string | undefined;
  /** Clients from documents are untrusted: the quota counts them together with unauthenticated registrations. */
  readonly quota: RegistrationQuota;
}

/**
 * Stores a client as its document describes it, so that everything that handles applications handles it too:
 * deactivation, deletion, tokens, the log. Writes nothing when nothing has changed.
 */
export async function putDocumentClient(
  deps: CreateRegistrationDeps,
  call: Call,
  client: DocumentClient,
): Promise<void> {
  await deps.database.change(call, async (tx) => {
    if (await update(tx, client)) return;
    const project = await holdRegistrationProject(tx, deps, client.organizationId);
    // Checked again with the project locked: a concurrent request finds what the first one created.
    if (!(await update(tx, client))) await create(tx, deps, project, client);
  });
}

async function update(tx: Tx, client: DocumentClient): Promise<boolean> {
  const { clientId, clientName, metadata } = client;
  const known = await findRegistration(tx, tx.instanceId, clientId);
  if (known === undefined) return false;
  const { registration } = known;
  const application = await holdApplication(tx, registration.applicationId);
  if (application === undefined) return false;
  const changed = await changeApplication(tx, application, {
    name: applicationName(clientName, application.applicationId),
    configuration: { kind: "oidc", fields: changedFields(application, client.configuration) },
  });
  const after = { application: changed, registration: { clientName, metadata } };
  await forgetConsents(tx, { application, registration }, after);
  if (registration.clientName === clientName && isDeepStrictEqual(registration.metadata, metadata)) return true;
  const updated = await updateDocumentMetadata(tx, { clientId, clientName, metadata });
  if (updated !== undefined) recordRegistration(tx, "registration.updated", updated.registration, updated.sequence);
  return true;
}

/**
 * Returns what a document changes of the application: the fields that a client decides, and further restrictions. What
 * an administrator set stays. They vouch for a client as its document describes it; when the document changes, it is
 * untrusted again.
 */
function changedFields(application: Application, described: OidcConfiguration): Partial<OidcConfiguration> {
  const fields = { ...registeredFields(described), ...namedRestrictions(described) };
  if (application.kind !== "oidc") return fields;
  const { configuration } = application;
  const isSame = isDeepStrictEqual(changeOidcConfiguration(configuration, fields), configuration);
  return isSame
    ? fields
    : { ...fields, isConsentRequired: described.isConsentRequired || configuration.isConsentRequired };
}

async function create(
  tx: Tx,
  deps: CreateRegistrationDeps,
  project: Awaited<ReturnType<typeof holdRegistrationProject>>,
  { clientId, clientName, configuration, metadata, organizationId, source, quota }: DocumentClient,
): Promise<void> {
  await takeFromQuota(tx, deps, { quota, source });
  const applicationId = deps.newId();
  await createApplication(tx, deps, project, {
    kind: "oidc",
    applicationId,
    clientId,
    name: applicationName(clientName, applicationId),
    describesItself: true,
    configuration: { ...configuration, isAudienceNarrow: true },
  });
  const kind = "document";
  const registration = {
    clientId,
    applicationId,
    organizationId,
    kind,
    clientName,
    metadata,
    createdAt: tx.now,
  } as const;
  const expiresAt = tx.now + quota.unusedLifetime;
  await insertRegistration(tx, { ...registration, token: undefined, registrarId: undefined, source, expiresAt });
  recordRegistration(tx, "registration.created", registration, 1);
}

function recordRegistration(tx: Tx, type: string, registration: Registration, sequence: number): void {
  const payload = registrationPayload(registration);
  tx.record({ type, ...registrationAggregate(registration), sequence, payload });
}
