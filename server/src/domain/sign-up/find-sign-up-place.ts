import type { Database } from "../../database/index.ts";
import { findOrganization, type Organization } from "../organization/index.ts";
import type { LoginSettings, SettingsReader } from "../settings/index.ts";

/** Whether the settings let people make accounts by themselves: with a password or a passkey, so they have to be ways to sign in. */
export const allowsSignUp = ({ allowRegister, allowLocalAuthentication }: LoginSettings): boolean =>
  allowRegister && allowLocalAuthentication;

/** Whether accounts can be made with a passkey in place of a password. */
export const allowsPasskeySignUp = (settings: LoginSettings): boolean =>
  allowsSignUp(settings) && settings.allowPasskeys;

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
