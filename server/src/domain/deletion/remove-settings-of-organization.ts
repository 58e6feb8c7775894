import type { Tx } from "../../database/index.ts";
import { deleteTranslationsOfOrganization } from "../login-text/index.ts";
import { deleteOrganizationSettingsRow, deleteSettingsOfOrganization } from "../settings/index.ts";

/** Step: removes all settings in or about an organization that is being deleted. */
export async function removeSettingsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await deleteSettingsOfOrganization(tx, organizationId);
  await deleteOrganizationSettingsRow(tx, organizationId);
  await deleteTranslationsOfOrganization(tx, organizationId);
}
