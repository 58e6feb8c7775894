import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Application, createApplication } from "../application/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import { findOrganization } from "../organization/index.ts";
import { registrationQuotaOf } from "../settings/index.ts";
import { holdRegistrationProject } from "./hold-registration-project.ts";
import type { RoomDeps } from "./make-room.ts";
import { insertRegistration } from "./registration.store.ts";
import { type InertMetadata, type Registration, registrationAggregate, registrationPayload } from "./registration.ts";
import { takeFromQuota } from "./registration-quota.ts";
import { makeRegistrationToken, type TokenDeps } from "./registration-token.ts";
import { requireRegistration } from "./require-registration.ts";

export interface CreateRegistrationDeps extends TokenDeps, RoomDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
}

export interface NewRegistration {
  readonly organizationId: string;
  readonly clientName: string | undefined;
  readonly configuration: Partial<OidcConfiguration>;
  readonly metadata: InertMetadata;
  /** For an unauthenticated registration: its source. Absent for a caller with the permission. */
  readonly open: { readonly source: string | undefined } | undefined;
}

export interface CreatedRegistration {
  readonly registration: Registration;
  readonly application: Application;
  readonly clientSecret: Secret | undefined;
  readonly registrationAccessToken: Secret;
}

/**
 * Registers a client in an organization (RFC 7591 §3). Its tokens name only itself as audience: clients that do not
 * know one another must not be able to inspect each other's tokens. Throws `RegistrationOff`.
 */
export function createRegistration(
  deps: CreateRegistrationDeps,
  call: Call,
  input: NewRegistration,
): Promise<CreatedRegistration> {
  const { organizationId, clientName, open } = input;
  return deps.database.change(call, async (tx) => {
    const organization = await findOrganization(tx, tx.instanceId, organizationId);
    if (organization?.state !== "active") throw new Fault("failed_precondition", "registration.closed");
    const project = await holdRegistrationProject(tx, deps, organizationId);
    const kind = open === undefined ? "token" : "open";
    const quota = registrationQuotaOf(await requireRegistration(tx, { by: kind }));
    if (open !== undefined) await takeFromQuota(tx, deps, { quota, source: open.source });
    const applicationId = deps.newId();
    const { application, clientSecret } = await createApplication(tx, deps, project, {
      kind: "oidc",
      applicationId,
      name: applicationName(clientName, applicationId),
      describesItself: true,
      configuration: { ...input.configuration, isAudienceNarrow: true },
    });
    const { clientId } = application;
    const { token, tokenHash } = makeRegistrationToken(deps, tx.instanceId, clientId);
    const registration: Registration = {
      clientId,
      applicationId,
      organizationId,
      kind,
      clientName,
      metadata: input.metadata,
      createdAt: tx.now,
    };
    const expiresAt = open && tx.now + quota.unusedLifetime;
    await insertRegistration(tx, {
      ...registration,
      token: { tokenHash, applicationSequence: application.details.sequence },
      registrarId: open === undefined ? tx.call.caller?.userId : undefined,
      source: open?.source,
      expiresAt,
    });
    tx.record({
      type: "registration.created",
      ...registrationAggregate(registration),
      sequence: 1,
      payload: registrationPayload(registration),
    });
    return { registration, application, clientSecret, registrationAccessToken: token };
  });
}

/** Names of applications are unique in a project; names that clients give themselves are not. */
export const applicationName = (clientName: string | undefined, applicationId: string): string =>
  `${(clientName ?? "Client").slice(0, 150)} (${applicationId})`;
