import type { IdentityProvider } from "../../../domain/identity-provider/index.ts";
import type { PageDeps } from "../../deps.ts";
import { isOfApplication } from "../flow/admits-newcomers.ts";
import { findOrganizationOfUser } from "../flow/find-look.ts";
import type { Flow } from "../flow/flow.ts";
import { isInDomainOf } from "../flow/is-in-domain-of.ts";

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
  if (await isInDomainOf(deps, call, signIn.loginName, ownerOrganizationId)) return name;
  const ofUser = await findOrganizationOfUser(deps, { call, authRequest, signIn });
  return ofUser === ownerOrganizationId ? name : undefined;
}
