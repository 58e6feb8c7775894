import { type IdentityProvider, listActiveIdentityProviders } from "../../../domain/identity-provider/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Account } from "../parts/account.ts";

/**
 * Lists the providers at which the user may link an account: those that the user's organization uses for sign-in, and
 * that allow linking.
 */
export async function listLinkableProviders(
  { database }: PageDeps,
  { call, user }: Account,
): Promise<readonly IdentityProvider[]> {
  const { organizationId, userId } = user;
  const settingsScope = { instanceId: call.instanceId, organizationId, userId };
  const offered = await listActiveIdentityProviders(database.read, settingsScope);
  return offered.filter(({ options }) => options.isLinkingAllowed);
}
