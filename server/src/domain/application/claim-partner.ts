import { Fault } from "../../base/fault.ts";
import { type Call, withoutLoginClient } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { isAtForeignDomain } from "../organization/index.ts";
import { hostsOfPartner, nextRefreshOf, type SamlPartner } from "../saml-configuration/index.ts";
import type { Application } from "./application.ts";
import { putEntity, putEntityClaim } from "./saml-partner.store.ts";

/**
 * Step: claims the entity id in the metadata of a SAML application for its organization, forever, and plans when its
 * metadata is fetched again. A service provider knows us by the key of the instance, not which organization registered
 * it here, and goes on trusting that key after its application is gone: so no other organization says who signs in
 * there. Throws the Fault `application.entity_id_taken` when another application of the instance has the entity id, or
 * another organization had it, and `organization.domain_taken` for a host at a domain that another one has proven,
 * unless the `former` application had the same entity id or address there. A caller who may write applications in the
 * whole instance decides which organization a service provider belongs to, by metadata that they upload: what is
 * fetched is the word of the server that it comes from.
 */
export async function claimPartner(tx: Tx, application: Application, former?: Application): Promise<void> {
  if (application.kind !== "saml") return;
  const { applicationId, organizationId, clientId, configuration } = application;
  const { entityId } = configuration.partner;
  const isDecided = configuration.metadataUrl === "" && mayWriteEverywhere(tx.call);
  const before = former?.kind === "saml" ? former.configuration.partner : undefined;
  if (!isDecided) await refuseForeignHosts(tx, organizationId, configuration.partner, before);
  const refreshAt = nextRefreshOf(configuration, tx.now);
  // In this order: what an application has is not taken from its organization.
  const isClaimed =
    (await putEntity(tx, { applicationId, clientId, entityId, refreshAt })) &&
    (await putEntityClaim(tx, { entityId, organizationId, takesOver: isDecided }));
  if (!isClaimed) throw new Fault("already_exists", "application.entity_id_taken", { field: "metadata" });
}

const mayWriteEverywhere = ({ caller }: Call): boolean =>
  caller !== undefined && withoutLoginClient(caller.access).allows("project.app.write", {});

async function refuseForeignHosts(
  tx: Tx,
  organizationId: string,
  partner: SamlPartner,
  before: SamlPartner | undefined,
): Promise<void> {
  const hosts = [...hostsOfPartner(partner, before)];
  if (hosts.length === 0 || !(await isAtForeignDomain(tx, tx.instanceId, { hosts, organizationId }))) return;
  throw new Fault("already_exists", "organization.domain_taken", { field: "metadata" });
}
