import { Fault } from "../../base/fault.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { defaultLoginSettings, type LoginSettings } from "./documents/login-settings.ts";
import { lockStoredSettings } from "./settings.store.ts";
import { hasActiveProvider, holdActiveProvider, listLoginSettings } from "./sign-in-gap.store.ts";
import { findSignInGap, type SignInGap } from "./sign-in-gap.ts";
import { withDefaults } from "./with-defaults.ts";

const fields = { first_factor: "allowLocalAuthentication", second_factor: "secondFactors" } as const;
const slugs = {
  first_factor: "settings.login.no_first_factor",
  second_factor: "settings.login.no_second_factor",
} as const;

/** Step: refuses login settings that leave no way to sign in in their scope (the instance when the id is empty). */
export async function refuseSignInGap(tx: Tx, organizationId: string, settings: LoginSettings): Promise<void> {
  const gap = findSignInGap(
    settings,
    await holdActiveProvider(tx, { organizationId, ids: settings.identityProviderIds }),
  );
  if (gap !== undefined) throw new Fault("failed_precondition", slugs[gap], { field: fields[gap] });
}

/**
 * Step, after a provider was deactivated or removed: refuses it when its owner's login settings leave no other way to
 * sign in. Settings of organizations do not keep the instance from closing a provider of its own.
 */
export async function refuseLossOfProvider(tx: Tx, ownerOrganizationId: string): Promise<void> {
  const stored = await lockStoredSettings(tx, { organizationId: ownerOrganizationId, kind: "login" });
  if (stored === undefined) return;
  const settings = withDefaults(defaultLoginSettings, stored.document);
  // If the requirement could not be met before, the provider is not the cause.
  if (settings.allowLocalAuthentication || !settings.allowExternalIdp) return;
  await refuseSignInGap(tx, ownerOrganizationId, settings);
}

/** Login settings that leave no way to sign in. */
export interface FoundSignInGap {
  readonly instanceId: string;
  /** Empty for the instance itself. */
  readonly organizationId: string;
  readonly gap: SignInGap;
}

/** Lists the login settings, of all instances and organizations, that leave no way to sign in. */
export async function listSignInGaps(reader: Reader): Promise<FoundSignInGap[]> {
  const found: FoundSignInGap[] = [];
  for (const { instanceId, organizationId, document } of await listLoginSettings(reader)) {
    const settings = withDefaults(defaultLoginSettings, document);
    const at = { organizationId, ids: settings.identityProviderIds };
    const gap = findSignInGap(settings, await hasActiveProvider(reader, instanceId, at));
    if (gap !== undefined) found.push({ instanceId, organizationId, gap });
  }
  return found;
}
