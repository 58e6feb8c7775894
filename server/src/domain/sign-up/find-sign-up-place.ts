import type { Database } from "../../database/index.ts";
import { findOrganization, type Organization } from "../organization/index.ts";
import type { LoginSettings, SettingsReader } from "../settings/index.ts";

/** Whether the settings let people make accounts by themselves: with a password, so that has to be a way to sign in. */
export const allowsSignUp = ({ allowRegister, allowLocalAuthentication }: LoginSettings): boolean =>
  allowRegister && allowLocalAuthentication;

/** The organization, when people may make accounts in it by themselves: it is active, and its settings let them. */
export async function findSignUpPlace(
  deps: { readonly database: Database; readonly settings: SettingsReader },
  instanceId: string,
  organizationId: string,
): Promise<Organization | undefined> {
  const { settings } = await deps.settings.get("login", { instanceId, organizationId });
  if (!allowsSignUp(settings)) return undefined;
  const organization = await findOrganization(deps.database.read, instanceId, organizationId);
  return organization?.state === "active" ? organization : undefined;
}
