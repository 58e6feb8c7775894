import { text } from "../../database/index.ts";
import { defaultOidcConfiguration } from "../oidc-configuration/index.ts";
import { defaultSamlOptions } from "../saml-configuration/index.ts";
import type { Application, ApplicationKind, ApplicationState } from "./application.ts";

/** Columns of a row of applications (without alias), named for `toApplication`. */
export const applicationColumns = text(`applications.application_id as "applicationId",
  applications.project_id as "projectId", applications.organization_id as "organizationId",
  applications.name as "name", applications.state as "state", applications.kind as "kind",
  applications.client_id as "clientId", case when applications.secret_hash is null then 0 else 1 end as "hasSecret",
  applications.configuration as "configuration", applications.sequence as "sequence",
  applications.created_at as "createdAt", applications.changed_at as "changedAt"`);

export interface ApplicationRow {
  readonly applicationId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly state: ApplicationState;
  readonly kind: ApplicationKind;
  readonly clientId: string;
  readonly hasSecret: number;
  readonly configuration: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toApplication(row: ApplicationRow): Application {
  const { kind, hasSecret, configuration, sequence, createdAt, changedAt, ...rest } = row;
  return {
    ...rest,
    hasSecret: hasSecret === 1,
    details: { sequence, createdAt, changedAt, ownerId: row.organizationId },
    ...readConfiguration(kind, configuration),
  };
}

/** Reads the configuration document. Fields that an older document lacks have their defaults. */
export function readConfiguration(
  kind: ApplicationKind,
  document: string,
):
  | Pick<Extract<Application, { kind: "oidc" }>, "kind" | "configuration">
  | Pick<Extract<Application, { kind: "api" }>, "kind" | "configuration">
  | Pick<Extract<Application, { kind: "saml" }>, "kind" | "configuration"> {
  switch (kind) {
    case "oidc":
      return { kind, configuration: { ...defaultOidcConfiguration, ...JSON.parse(document) } };
    case "api":
      return { kind, configuration: JSON.parse(document) };
    case "saml":
      return { kind, configuration: { ...defaultSamlOptions, ...JSON.parse(document) } };
    default:
      return kind satisfies never;
  }
}
