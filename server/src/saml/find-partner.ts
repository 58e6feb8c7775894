import type { Instant } from "../base/clock.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { Call } from "../call/index.ts";
import { type Client, findEntity } from "../domain/application/index.ts";
import { isMetadataValid, type SamlConfiguration } from "../domain/saml-configuration/index.ts";
import { UntrustedRequest } from "../oauth/index.ts";
import type { SamlDeps } from "./deps.ts";

/** An application that is a SAML service provider. */
export interface PartnerClient {
  readonly client: Client;
  readonly configuration: SamlConfiguration;
}

/** Finds the application with an entity id. An unknown or inactive one is shown on a page, as is expired metadata. */
export async function findPartner(
  deps: Pick<SamlDeps, "database" | "clients">,
  call: Call,
  entityId: string,
): Promise<PartnerClient> {
  const entity = await findEntity(deps.database.read, call.instanceId, entityId);
  const client = entity && (await deps.clients.find(call.instanceId, entity.clientId));
  const partner = client && asPartner(client, call.now);
  if (partner === undefined || partner.configuration.partner.entityId !== entityId) {
    throw new UntrustedRequest("authorize.client_unknown", { detail: "no active application has this entity id" });
  }
  return partner;
}

/**
 * Returns a client as a service provider; undefined for another kind of client and for an inactive one. Throws an
 * OAuthError for expired metadata.
 */
export function asPartner(client: Client, now: Instant): PartnerClient | undefined {
  const { saml, isActive, applicationKind } = client;
  if (saml === undefined || !isActive || applicationKind !== "saml") return undefined;
  if (!isMetadataValid(saml, now)) {
    throw new OAuthError("invalid_request", "the metadata of the service provider has expired");
  }
  return { client, configuration: saml };
}
