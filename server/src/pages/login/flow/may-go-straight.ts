import type { IdentityProvider } from "../../../domain/identity-provider/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Flow } from "./flow.ts";
import { servesOrganization } from "./serves-organization.ts";

/**
 * Whether a browser may be sent to a provider without a click. A tenant could otherwise bring users of other
 * applications to a page of its own: a request and an address may name any organization. That is so only for providers
 * of the instance and of an organization that owns the project of the requesting application, or to which the project
 * is granted. For pages of ours it is the organization of the proven domain or of the entered name.
 */
export async function mayGoStraight(
  deps: PageDeps,
  { visit, steps }: Flow,
  { ownerOrganizationId }: Pick<IdentityProvider, "ownerOrganizationId">,
  organizationOfName: string | undefined,
): Promise<boolean> {
  if (ownerOrganizationId === "") return true;
  if (steps.authRequest === undefined) return ownerOrganizationId === organizationOfName;
  return servesOrganization(deps, visit.call, steps.authRequest, ownerOrganizationId);
}
