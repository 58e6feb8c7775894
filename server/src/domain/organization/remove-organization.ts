import type { Tx } from "../../database/index.ts";
import { deleteAllMetadata } from "../metadata/index.ts";
import { deleteOrganizationRow } from "./organization.store.ts";
import { type Organization, organizationAggregate } from "./organization.ts";

/** Step: removes an organization with its domains and metadata. The caller removed everything else in it before. */
export async function removeOrganization(tx: Tx, { organizationId, name }: Organization): Promise<void> {
  await deleteAllMetadata(tx, { type: "organization", ids: [organizationId] });
  const sequence = await deleteOrganizationRow(tx, organizationId);
  if (sequence === undefined) return;
  tx.record({ type: "organization.deleted", ...organizationAggregate(organizationId), sequence, payload: { name } });
}
