import { readingOrganizationOf } from "../../../authority/index.ts";
import type { Call } from "../../../call/index.ts";
import type { AuthRequest } from "../../../domain/auth-request/index.ts";
import { type CurrentSignIn, readDiscovery } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import { isInDomainOf } from "./is-in-domain-of.ts";
import { servesOrganization } from "./serves-organization.ts";

/**
 * Returns whether new users may be created without a question in the organization that a request or the address of a
 * page names, and whether what its administrators said of accounts counts. A link of a stranger can name any. It counts
 * where the application of the request belongs to that organization or serves it, and where its client proved that it
 * wrote the request. It also counts where the name that was entered in this browser belongs there; beside a scope, by a
 * proven domain.
 */
export async function admitsNewcomers(
  deps: PageDeps,
  call: Call,
  {
    authRequest,
    signIn,
  }: {
    readonly authRequest: AuthRequest | undefined;
    readonly signIn: Pick<CurrentSignIn, "loginName" | "userOrganizationId">;
  },
  organizationId: string,
): Promise<boolean> {
  if (await isOfApplication(deps, call, authRequest, organizationId)) return true;
  // A scope has the name looked up among the users of its organization alone, where any name can be that of a user.
  const isScope = authRequest?.parameters.organizationId !== undefined;
  if (isScope) return isInDomainOf(deps, call, signIn.loginName, organizationId);
  if (signIn.userOrganizationId === organizationId) return true;
  const { discoveredOrganizationId } = await readDiscovery(deps, call, { authRequest }, signIn.loginName);
  return discoveredOrganizationId === organizationId;
}

/**
 * Returns whether an organization has to do with the application of a request, or its client proved that it named the
 * organization, because it pushed or signed the request.
 */
export async function isOfApplication(
  deps: PageDeps,
  call: Call,
  authRequest: AuthRequest | undefined,
  organizationId: string,
): Promise<boolean> {
  if (authRequest === undefined) return false;
  if (await servesOrganization(deps, call, authRequest, organizationId)) return true;
  return isNamedByClient(deps, call, authRequest, organizationId);
}

// A client that strangers registered proves only that they wrote the request.
async function isNamedByClient(
  { clients }: Pick<PageDeps, "clients">,
  { instanceId }: Call,
  { clientId, parameters }: AuthRequest,
  organizationId: string,
): Promise<boolean> {
  if (parameters.isOrganizationOfClient !== true || parameters.organizationId !== organizationId) return false;
  const client = await clients.find(instanceId, clientId);
  return client !== undefined && readingOrganizationOf(client) !== "";
}
