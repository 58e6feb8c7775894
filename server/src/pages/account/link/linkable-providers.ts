import {
  findOfferedProvider,
  type IdentityProvider,
  listActiveIdentityProviders,
  type ProviderSummary,
} from "../../../domain/identity-provider/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Account } from "../parts/account.ts";

/**
 * Lists the providers at which the user may link an account: those that the user's organization uses for sign-in, and
 * that allow linking.
 */
export async function listLinkableProviders(
  { database }: PageDeps,
  { call, user }: Account,
): Promise<readonly ProviderSummary[]> {
  const offered = await listActiveIdentityProviders(database.read, scopeOf({ call, user }));
  return offered.filter(({ options }) => options.isLinkingAllowed);
}

/** Finds the one of them that was chosen. */
export async function findLinkableProvider(
  { database }: PageDeps,
  { call, user }: Account,
  identityProviderId: string,
): Promise<IdentityProvider | undefined> {
  const found = await findOfferedProvider(database.read, scopeOf({ call, user }), identityProviderId);
  return found?.options.isLinkingAllowed === true ? found : undefined;
}

const scopeOf = ({ call, user: { organizationId, userId } }: Pick<Account, "call" | "user">) => ({
  instanceId: call.instanceId,
  organizationId,
  userId,
});
