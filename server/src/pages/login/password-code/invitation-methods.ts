import {
  findOfferedProvider,
  type IdentityProvider,
  listActiveIdentityProviders,
  type ProviderSummary,
} from "../../../domain/identity-provider/index.ts";
import { loginSettingsOf } from "../../../domain/settings/index.ts";
import type { Href } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";
import { invitationPath } from "./invitation-address.ts";
import type { PasswordCodePurpose } from "./view.ts";

export const againPath = `${invitationPath}/again`;

/** The methods that an invited user may choose from. */
export interface InvitationMethods {
  readonly password: boolean;
  readonly passkey: boolean;
  /** Providers for signing in. */
  readonly providers: readonly ProviderSummary[];
}

/** A user, once they are known to hold a code. */
type Holder = { readonly organizationId: string; readonly userId: string } | undefined;

/**
 * Returns the methods that the settings of the user's organization allow, without a user those of the instance: a
 * password, a passkey, and accounts at providers. Only invitations offer a choice.
 */
export async function findInvitationMethods(
  deps: PageDeps,
  visit: Visit,
  { purpose, user }: { readonly purpose: PasswordCodePurpose; readonly user: Holder },
): Promise<InvitationMethods> {
  if (purpose !== "invitation") return { password: true, passkey: false, providers: [] };
  const { allowLocalAuthentication: password, allowPasskeys } = await loginSettingsOf(deps, visit.call, {
    organizationId: user?.organizationId,
    userId: user?.userId,
  });
  return { password, passkey: password && allowPasskeys, providers: await listProvidersOf(deps, visit, user) };
}

/** Returns the providers that allow linking in the user's organization; without a user, those of the instance. */
async function listProvidersOf(
  { database: { read } }: PageDeps,
  visit: Visit,
  user: Holder,
): Promise<readonly ProviderSummary[]> {
  const offered = await listActiveIdentityProviders(read, scopeOf(visit, user));
  return offered.filter(({ options }) => options.isLinkingAllowed);
}

/** Finds the one of the user's that was chosen. */
export async function findChosenProvider(
  { database: { read } }: PageDeps,
  visit: Visit,
  { user, identityProviderId }: { readonly user: Holder; readonly identityProviderId: string },
): Promise<IdentityProvider | undefined> {
  const found = await findOfferedProvider(read, scopeOf(visit, user), identityProviderId);
  return found?.options.isLinkingAllowed === true ? found : undefined;
}

const scopeOf = ({ call: { instanceId } }: Visit, user: Holder) => ({
  instanceId,
  organizationId: user?.organizationId,
  userId: user?.userId,
});

/** Returns the address for requesting another invitation. */
export const againAddress = (userId: string): Href => pathTo(againPath, { user: userId });
