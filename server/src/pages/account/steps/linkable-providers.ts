import { type IdentityProvider, listActiveIdentityProviders } from "../../../domain/identity-provider/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Account } from "./account.ts";

/** The providers at which the person may link an account with his own: those that sign people of his organization in, and allow it. */
export async function listLinkableProviders(
  { database }: PageDeps,
  { call, user }: Account,
): Promise<readonly IdentityProvider[]> {
  const place = { instanceId: call.instanceId, organizationId: user.organizationId };
  const offered = await listActiveIdentityProviders(database.read, place);
  return offered.filter(({ options }) => options.isLinkingAllowed);
}
