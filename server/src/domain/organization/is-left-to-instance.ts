import type { Tx } from "../../database/index.ts";
import { writesEveryOrganization } from "./authorize-organization.ts";
import { isDeactivatedByInstance } from "./organization.store.ts";

/**
 * Step: whether an administrator of the instance deactivated an organization, and the caller is not one: its own
 * administrators, who may belong to other organizations, can neither activate nor delete it.
 */
export const isLeftToInstance = async (tx: Tx, organizationId: string): Promise<boolean> =>
  !writesEveryOrganization(tx.call) && (await isDeactivatedByInstance(tx, organizationId));
