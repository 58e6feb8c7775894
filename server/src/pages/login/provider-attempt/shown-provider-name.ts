import type { IdentityProvider } from "../../../domain/identity-provider/index.ts";
import type { PageDeps } from "../../deps.ts";
import { findOrganizationOfUser } from "../flow/find-look.ts";
import type { Flow } from "../flow/flow.ts";
import { isInDomainOf } from "../flow/is-in-domain-of.ts";
import { isOfApplication } from "../flow/is-of-application.ts";
import type { ExternalAccountView } from "../parts/external-account.ts";

/**
 * Returns the name of a provider for a page of the login. Undefined where its organization has to do with the visit
 * only by a link, which anyone can write: a name is words on the page, as its texts are (`findLook`). Where unknown
 * usernames are concealed, the name does not reveal users either.
 */
export async function shownProviderName(
  deps: PageDeps,
  { visit: { call }, steps: { authRequest }, signIn }: Flow,
  { ownerOrganizationId, name }: Pick<IdentityProvider, "ownerOrganizationId" | "name">,
): Promise<string | undefined> {
  if (ownerOrganizationId === "") return name;
  if (await isOfApplication(deps, call, authRequest, ownerOrganizationId)) return name;
  if (await isInDomainOf(deps, call, { authRequest, signIn }, ownerOrganizationId)) return name;
  const ofUser = await findOrganizationOfUser(deps, { call, authRequest, signIn });
  return ofUser === ownerOrganizationId ? name : undefined;
}

/**
 * Returns how a page calls an account at a provider. Where the provider's name is not said, the username there is not
 * said either: both are words of the provider's organization, which is a stranger's unless the user has proven to be
 * one of its users.
 */
export async function shownExternalAccount(
  deps: PageDeps,
  flow: Flow,
  provider: Pick<IdentityProvider, "ownerOrganizationId" | "name">,
  { username, provenOrganizationId }: { readonly username: string; readonly provenOrganizationId?: string | undefined },
): Promise<ExternalAccountView> {
  const isOwn = provenOrganizationId === provider.ownerOrganizationId;
  const providerName = isOwn ? provider.name : await shownProviderName(deps, flow, provider);
  return { providerName, username: providerName === undefined ? undefined : username };
}
