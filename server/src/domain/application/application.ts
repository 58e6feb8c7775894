import { hash } from "node:crypto";
import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";
import type { SamlConfiguration } from "../saml-configuration/index.ts";

export type ApplicationState = "active" | "inactive";

/** An API authenticates in order to introspect tokens; it receives none itself. */
export interface ApiConfiguration {
  readonly authMethod: "client_secret_basic" | "private_key_jwt";
}

interface Common extends Scope {
  readonly applicationId: string;
  readonly projectId: string;
  /** Owner of the project. */
  readonly organizationId: string;
  readonly name: string;
  readonly state: ApplicationState;
  readonly clientId: string;
  readonly hasSecret: boolean;
  readonly details: Details;
}

export interface OidcApplication extends Common {
  readonly kind: "oidc";
  readonly configuration: OidcConfiguration;
}

interface ApiApplication extends Common {
  readonly kind: "api";
  readonly configuration: ApiConfiguration;
}

/** A SAML 2.0 service provider. Its client id is internal: requests find it by the entity id in its metadata. */
export interface SamlApplication extends Common {
  readonly kind: "saml";
  readonly configuration: SamlConfiguration;
}

/** Software registered in a project. Its OAuth face is a `Client`. */
export type Application = OidcApplication | ApiApplication | SamlApplication;
export type Configuration = Application["configuration"];
export type ApplicationKind = Application["kind"];

/** What an operation on an existing application needs besides its own permission. */
export const applicationAbsence = { readPermission: "project.app.read", absent: "application.not_found" } as const;

/** The event aggregate of an application. Its keys are part of it and share its sequence. */
export function applicationAggregate(application: { readonly applicationId: string; readonly organizationId: string }) {
  return {
    aggregateType: "application",
    aggregateId: application.applicationId,
    ownerId: application.organizationId,
  } as const;
}

/** What events record of an application. */
export function applicationPayload(application: Application) {
  const { projectId, name, kind, clientId } = application;
  const configuration =
    application.kind === "saml" ? recordedSaml(application.configuration) : application.configuration;
  return { projectId, name, kind, clientId, configuration };
}

// Metadata can be long, and what matters of it is in `partner`. The salt is kept to ourselves.
function recordedSaml({ metadataXml, nameIdSalt: _, ...recorded }: SamlConfiguration) {
  return { ...recorded, metadataDigest: hash("sha256", metadataXml, "base64url") };
}

/** Whether the application authenticates with a secret. */
export function usesSecret(configuration: Configuration): boolean {
  const authMethod = "authMethod" in configuration ? configuration.authMethod : "none";
  return authMethod === "client_secret_basic" || authMethod === "client_secret_post";
}
