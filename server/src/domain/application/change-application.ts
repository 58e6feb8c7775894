import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import { type Tx, UniqueViolation } from "../../database/index.ts";
import { changeOidcConfiguration, type OidcConfiguration } from "../oidc-configuration/index.ts";
import { changeSamlConfiguration, type SamlChanges } from "../saml-configuration/index.ts";
import { trustAfterChange } from "./api-trust.ts";
import { updateApplicationRow } from "./application.store.ts";
import {
  type ApiConfiguration,
  type Application,
  applicationAggregate,
  applicationPayload,
  type Configuration,
  usesSecret,
} from "./application.ts";
import type { ApplicationReference } from "./authorize-application.ts";
import { claimPartner } from "./claim-partner.ts";
import { putOrigins } from "./put-origins.ts";

/** The changes; fields that are absent stay as they are. */
export interface ApplicationUpdate extends ApplicationReference {
  readonly name?: string;
  /** The state in which the caller read it (`etagOfApplication`). */
  readonly etag?: string;
  readonly configuration?:
    | { readonly kind: "oidc"; readonly fields: Partial<OidcConfiguration> }
    | { readonly kind: "api"; readonly fields: ApiConfiguration }
    | { readonly kind: "saml"; readonly fields: SamlChanges };
}

/**
 * Step: changes name and configuration of a locked application; its kind stays. An application that no longer
 * authenticates with a secret loses it. The caller decides who may, and what becomes of consents.
 */
export async function changeApplication(
  tx: Tx,
  application: Application,
  input: Pick<ApplicationUpdate, "name" | "configuration">,
): Promise<Application> {
  const name = input.name ?? application.name;
  if (!isName(name)) throw new Fault("invalid_argument", "application.name_invalid", { field: "name" });
  const configuration = trustAfterChange(tx.call, application, changeConfiguration(application, input.configuration), {
    isStated: input.configuration?.kind === "oidc" && input.configuration.fields.isTrustedForApi === true,
  });
  if (name === application.name && isDeepStrictEqual(configuration, application.configuration)) return application;
  const updated = await updateApplicationRow(tx, {
    applicationId: application.applicationId,
    name,
    nameKey: canonicalName(name),
    configuration,
    keepsSecret: usesSecret(configuration),
  }).catch(refuseTakenName);
  if (updated === undefined) return application;
  await claimPartner(tx, updated, application);
  await putOrigins(tx, updated, application);
  tx.record({
    type: "application.updated",
    ...applicationAggregate(updated),
    sequence: updated.details.sequence,
    payload: applicationPayload(updated),
  });
  return updated;
}

function changeConfiguration(application: Application, change: ApplicationUpdate["configuration"]): Configuration {
  if (change === undefined) return application.configuration;
  if (application.kind === "oidc" && change.kind === "oidc") {
    return changeOidcConfiguration(application.configuration, change.fields);
  }
  if (application.kind === "api" && change.kind === "api") return { ...application.configuration, ...change.fields };
  if (application.kind === "saml" && change.kind === "saml") {
    return changeSamlConfiguration(application.configuration, change.fields);
  }
  throw new Fault("invalid_argument", "application.kind_differs", { field: `${change.kind}Configuration` });
}

function refuseTakenName(error: unknown): never {
  if (error instanceof UniqueViolation) {
    throw new Fault("already_exists", "application.name_taken", { field: "name", cause: error });
  }
  throw error;
}
