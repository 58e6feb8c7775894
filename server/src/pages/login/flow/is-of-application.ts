import { readingOrganizationOf } from "../../../authority/index.ts";
import type { Call } from "../../../call/index.ts";
import type { AuthRequest } from "../../../domain/auth-request/index.ts";
import { type CurrentSignIn, isHinted } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import { servesOrganization } from "./serves-organization.ts";

/** A request, and the name in an attempt to answer it. */
export interface NamedVisit {
  readonly authRequest: AuthRequest | undefined;
  readonly signIn: Pick<CurrentSignIn, "loginName" | "userOrganizationId">;
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
  const { isOrganizationOfClient = false, organizationId: named } = authRequest.parameters;
  return isOrganizationOfClient && named === organizationId && isOfKnownClient(deps, call, authRequest);
}

/**
 * Returns whether the name of an attempt says nothing about an organization, because it may come from any link: it is
 * the `login_hint` of the request, and neither a client nor an application of the organization vouches for it.
 */
export async function isNameOfLink(
  deps: PageDeps,
  call: Call,
  { authRequest, signIn }: NamedVisit,
  organizationId: string,
): Promise<boolean> {
  if (authRequest === undefined || !isHinted({ authRequest }, signIn.loginName)) return false;
  const { isHintOfClient = false } = authRequest.parameters;
  if (isHintOfClient && (await isOfKnownClient(deps, call, authRequest))) return false;
  return !(await isOfApplication(deps, call, authRequest, organizationId));
}

// A client that strangers registered proves only that they wrote the request.
async function isOfKnownClient(
  { clients }: Pick<PageDeps, "clients">,
  { instanceId }: Call,
  { clientId }: AuthRequest,
): Promise<boolean> {
  const client = await clients.find(instanceId, clientId);
  return client !== undefined && readingOrganizationOf(client) !== "";
}
