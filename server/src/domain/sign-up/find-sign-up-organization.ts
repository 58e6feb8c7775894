import type { Database } from "../../database/index.ts";
import { findOrganization, type Organization } from "../organization/index.ts";
import { type LoginSettings, loginSettingsOf, type SettingsReader } from "../settings/index.ts";

/**
 * Returns whether the settings allow self-registration: with a password or a passkey, so these must be allowed for
 * sign-in.
 */
export const allowsSignUp = ({ allowRegister, allowLocalAuthentication }: LoginSettings): boolean =>
  allowRegister && allowLocalAuthentication;

/** Returns whether accounts can be created with a passkey in place of a password. */
export const allowsPasskeySignUp = (settings: LoginSettings): boolean =>
  allowsSignUp(settings) && settings.allowPasskeys;

/** Returns the organization if self-registration is possible in it: it is active, and its settings allow it. */
export async function findSignUpOrganization(
  deps: { readonly database: Database; readonly settings: SettingsReader },
  instanceId: string,
  organizationId: string,
): Promise<Organization | undefined> {
  if (!allowsSignUp(await loginSettingsOf(deps, { instanceId }, { organizationId }))) return undefined;
  const organization = await findOrganization(deps.database.read, instanceId, organizationId);
  return organization?.state === "active" ? organization : undefined;
}
