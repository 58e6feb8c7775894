import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { nextRefreshOf } from "../saml-configuration/index.ts";
import type { Application } from "./application.ts";
import { putEntity } from "./saml-partner.store.ts";

/**
 * Step: claims the entity id in the metadata of a SAML application, and plans when its metadata is fetched again.
 * Throws the Fault `application.entity_id_taken` when another application of the instance has it: requests name nothing
 * else.
 */
export async function claimEntityId(tx: Tx, application: Application): Promise<void> {
  if (application.kind !== "saml") return;
  const { applicationId, clientId, configuration } = application;
  const refreshAt = nextRefreshOf(configuration, tx.now);
  const isClaimed = await putEntity(tx, {
    applicationId,
    clientId,
    entityId: configuration.partner.entityId,
    refreshAt,
  });
  if (!isClaimed) throw new Fault("already_exists", "application.entity_id_taken", { field: "metadata" });
}
