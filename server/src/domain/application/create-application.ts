import { Fault } from "../../base/fault.ts";
import { type IdGenerator, isChosenId } from "../../base/id.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { firstSequence, type Tx } from "../../database/index.ts";
import { claimIdentifier } from "../instance/index.ts";
import { reachMilestone } from "../milestone/index.ts";
import { completeOidcConfiguration, type OidcConfiguration } from "../oidc-configuration/index.ts";
import { generateCode } from "../one-time-secret/index.ts";
import type { Project } from "../project/index.ts";
import type { SamlConfiguration } from "../saml-configuration/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { requireMayTrust } from "./api-trust.ts";
import { findApplication, insertApplication } from "./application.store.ts";
import {
  type ApiConfiguration,
  type Application,
  applicationAggregate,
  applicationPayload,
  usesSecret,
} from "./application.ts";
import { claimPartner } from "./claim-partner.ts";
import { addOrigins } from "./put-origins.ts";

export type NewApplication = {
  /** Chosen by the caller, or generated. */
  readonly applicationId?: string;
  /** Generated, unless the client has an id of its own: the address of its metadata document. */
  readonly clientId?: string;
  readonly name: string;
  /** Whether the client describes itself: its registration follows in the same unit of work. */
  readonly describesItself?: boolean;
} & (
  | { readonly kind: "oidc"; readonly configuration: Partial<OidcConfiguration> }
  | { readonly kind: "api"; readonly configuration: ApiConfiguration }
  | { readonly kind: "saml"; readonly configuration: SamlConfiguration }
);

export interface CreatedApplication {
  readonly application: Application;
  /**
   * Shown only now; only its hash is stored. Absent when the application authenticates by other means, or not at all.
   */
  readonly clientSecret: Secret | undefined;
}

export interface CreateApplicationDeps {
  readonly newId: IdGenerator;
  readonly random: Random;
}

/**
 * Step: registers an application in a project that is locked. Rejects a name or an id that is taken, and trust by a
 * caller who may not give it.
 */
export async function createApplication(
  tx: Tx,
  deps: CreateApplicationDeps,
  project: Pick<Project, "projectId" | "organizationId">,
  input: NewApplication,
): Promise<CreatedApplication> {
  if (input.kind === "oidc" && input.configuration.isTrustedForApi === true) requireMayTrust(tx.call);
  return registerApplication(tx, deps, project, input);
}

/** Step: the same for an application that comes with the instance, whose trust no caller gives. */
export async function registerApplication(
  tx: Tx,
  deps: CreateApplicationDeps,
  project: Pick<Project, "projectId" | "organizationId">,
  input: NewApplication,
): Promise<CreatedApplication> {
  if (!isName(input.name)) throw new Fault("invalid_argument", "application.name_invalid", { field: "name" });
  if (input.applicationId !== undefined && !isChosenId(input.applicationId)) {
    throw new Fault("invalid_argument", "application.id_invalid", { field: "applicationId" });
  }
  const configuration = input.kind === "oidc" ? completeOidcConfiguration(input.configuration) : input.configuration;
  const clientSecret = usesSecret(configuration)
    ? generateCode(deps.random, await readCodeFormat(tx, tx.instanceId, "client_secret"))
    : undefined;
  const applicationId = input.applicationId ?? deps.newId();
  const application = await insertApplication(tx, {
    applicationId,
    projectId: project.projectId,
    organizationId: project.organizationId,
    name: input.name,
    nameKey: canonicalName(input.name),
    kind: input.kind,
    clientId: input.clientId ?? deps.newId(),
    secretHash: clientSecret && hashSecret(clientSecret),
    configuration,
    sequence: await firstSequence(tx, "application", input.applicationId),
  });
  if (application === undefined) throw await conflict(tx, applicationId);
  await claimIdentifier(tx, "application", { identifier: applicationId, field: "applicationId" });
  // An address of a metadata document always means the same client, even when it returns after its removal.
  if (input.clientId === undefined && application.clientId !== null) {
    await claimIdentifier(tx, "client", { identifier: application.clientId });
  }
  await claimPartner(tx, application);
  addOrigins(tx, application, { describesItself: input.describesItself === true });
  tx.record({
    type: "application.created",
    ...applicationAggregate(application),
    sequence: application.details.sequence,
    payload: applicationPayload(application),
  });
  await reachMilestone(tx, "application_created", project.projectId);
  return { application, clientSecret };
}

async function conflict(tx: Tx, applicationId: string): Promise<Fault> {
  const isIdTaken = (await findApplication(tx, tx.instanceId, applicationId)) !== undefined;
  return isIdTaken
    ? new Fault("already_exists", "application.id_taken", { field: "applicationId" })
    : new Fault("already_exists", "application.name_taken", { field: "name" });
}
