import type { Call } from "../../../call/index.ts";
import { readDiscovery } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import { isInDomainOf } from "./is-in-domain-of.ts";
import { isNameOfLink, isOfApplication, type NamedVisit } from "./is-of-application.ts";

/**
 * Returns whether new users may be created without a question in the organization that a request or the address of a
 * page names, and whether what its administrators said of accounts counts. A link of a stranger can name any. It counts
 * where the application of the request belongs to that organization or serves it, and where its client proved that it
 * wrote the request. It also counts where the name that was entered in this browser belongs there, and was not filled
 * in by a link; beside a scope, by a proven domain.
 */
export async function admitsNewcomers(
  deps: PageDeps,
  call: Call,
  visit: NamedVisit,
  organizationId: string,
): Promise<boolean> {
  const { authRequest, signIn } = visit;
  if (await isOfApplication(deps, call, authRequest, organizationId)) return true;
  // A scope has the name looked up among the users of its organization alone, where any name can be that of a user.
  const isScope = authRequest?.parameters.organizationId !== undefined;
  if (isScope) return isInDomainOf(deps, call, visit, organizationId);
  if (await isNameOfLink(deps, call, visit, organizationId)) return false;
  if (signIn.userOrganizationId === organizationId) return true;
  const { discoveredOrganizationId } = await readDiscovery(deps, call, { authRequest }, signIn.loginName);
  return discoveredOrganizationId === organizationId;
}
