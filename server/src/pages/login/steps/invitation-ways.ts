import { type IdentityProvider, listActiveIdentityProviders } from "../../../domain/identity-provider/index.ts";
import { findUserScope } from "../../../domain/user/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Href } from "../../html/index.ts";
import { pathTo } from "../../visit/answer.ts";
import type { Visit } from "../../visit/visit.ts";
import type { PasswordCodePurpose } from "../views/password-code.ts";
import { invitationPath } from "./invitation-address.ts";

export const againPath = `${invitationPath}/again`;

/** How somebody can begin. */
export interface Ways {
  readonly password: boolean;
  readonly passkey: boolean;
  /** Providers at which he has an account. */
  readonly providers: readonly IdentityProvider[];
}

/**
 * How somebody can begin: with a password, with a passkey, and with an account at a provider, as the settings of his organization allow. Only invitations
 * leave the choice.
 */
export async function findWays(
  deps: PageDeps,
  visit: Visit,
  { purpose, userId }: { readonly purpose: PasswordCodePurpose; readonly userId: string },
): Promise<Ways> {
  if (purpose !== "invitation") return { password: true, passkey: false, providers: [] };
  const { instanceId } = visit.call;
  const user = await findUserScope(deps.database.read, instanceId, userId);
  const { settings } = await deps.settings.get("login", { instanceId, organizationId: user?.organizationId });
  const { allowLocalAuthentication: password, allowPasskeys } = settings;
  return { password, passkey: password && allowPasskeys, providers: await findProvidersOf(deps, visit, user) };
}

/** The providers whose accounts may be linked in the organization of somebody; those of the instance for nobody. */
export async function findProvidersOf(
  { database: { read } }: PageDeps,
  { call: { instanceId } }: Visit,
  user: { readonly organizationId: string } | undefined,
): Promise<readonly IdentityProvider[]> {
  const offered = await listActiveIdentityProviders(read, { instanceId, organizationId: user?.organizationId });
  return offered.filter(({ options }) => options.isLinkingAllowed);
}

/** Where another invitation is asked for. */
export const againAddress = (userId: string): Href => pathTo(againPath, { user: userId });
