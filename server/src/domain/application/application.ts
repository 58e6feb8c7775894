import type { Scope } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import type { OidcConfiguration } from "../oidc-configuration/index.ts";

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

/** Software registered in a project. Its OAuth face is a `Client`. */
export type Application = OidcApplication | ApiApplication;
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
export function applicationPayload({ projectId, name, kind, clientId, configuration }: Application) {
  return { projectId, name, kind, clientId, configuration };
}

/** Whether the application authenticates with a secret. */
export function usesSecret({ authMethod }: { readonly authMethod: string }): boolean {
  return authMethod === "client_secret_basic" || authMethod === "client_secret_post";
}
