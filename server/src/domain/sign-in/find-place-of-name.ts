import { canonicalName } from "../../base/canonical.ts";
import type { Call } from "../../call/index.ts";
import { findUserByLoginName } from "../login-name/index.ts";
import { findOrganization, findOwnerOfDomain } from "../organization/index.ts";
import { findUserScope } from "../user/index.ts";
import { type BrowserVisit, organizationOf, type SignInDeps } from "./browser-visit.ts";
import { settingsOf } from "./settings-of.ts";
import type { SignIn } from "./state.ts";

/**
 * Domain discovery: returns the organization with the proven domain that a name ends in, when its settings allow it;
 * unknown names included. Undefined where the request states whose users may sign in, and for a name that means a user
 * of another organization: users are never led away from their own.
 */
export async function discoverOrganization(
  deps: SignInDeps,
  call: Call,
  { authRequest }: Pick<BrowserVisit, "authRequest">,
  loginName: string,
): Promise<string | undefined> {
  const domain = canonicalName(loginName).split("@").slice(1).at(-1);
  if (authRequest?.parameters.organizationId !== undefined || domain === undefined || domain === "") return undefined;
  const { read } = deps.database;
  const owner = await findOwnerOfDomain(read, call.instanceId, domain);
  if (owner === undefined || !(await settingsOf(deps, call, owner)).allowDomainDiscovery) return undefined;
  const organization = await findOrganization(read, call.instanceId, owner);
  const user = await findUserByLoginName(read, call.instanceId, loginName);
  if (user !== undefined && user.organizationId !== owner) return undefined;
  return organization?.state === "active" ? owner : undefined;
}

/**
 * Returns whether an unknown name goes on like any other. Only the organization of the request, which restricts the
 * search to its users, or the one with the name's domain decides that for its own names; the instance decides for every
 * other name. An address can name any organization, so it does not count here: its administrators could otherwise find
 * out which users exist in others.
 */
export async function hidesUnknownNames(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  loginName: string,
): Promise<boolean> {
  const place =
    visit.authRequest?.parameters.organizationId ?? (await discoverOrganization(deps, call, visit, loginName));
  return (await settingsOf(deps, call, place)).ignoreUnknownUsernames;
}

/** The scope that a name belongs to. */
export interface PlaceOfName {
  /** Undefined where the settings of the instance apply. */
  readonly organizationId: string | undefined;
  /** The organization of the named user, where the settings permit to reveal it. */
  readonly userOrganizationId: string | undefined;
  /** Whether users there sign in with what is checked here. */
  readonly isLocalAllowed: boolean;
  /** The name is unknown, and the settings permit to report that. */
  readonly isToldUnknown: boolean;
}

/**
 * Returns the scope of a name: the login's organization, else that of the user, unless the settings hide which users
 * exist. Administrators of the instance get to the password page where its settings allow it: they would have no way in
 * otherwise, and the page shows no more than that.
 */
export async function findPlaceOfName(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { userId, loginName }: SignIn,
): Promise<PlaceOfName> {
  const given = organizationOf(visit);
  const isTold = !(await hidesUnknownNames(deps, call, visit, loginName));
  const isUserAsked = given === undefined && isTold && userId !== undefined;
  const user = isUserAsked ? await findUserScope(deps.database.read, call.instanceId, userId) : undefined;
  const organizationId = given ?? user?.organizationId;
  const { allowLocalAuthentication: isLocalAllowed } = await settingsOf(deps, call, organizationId, userId);
  const isToldUnknown = userId === undefined && isTold;
  return { organizationId, userOrganizationId: user?.organizationId, isLocalAllowed, isToldUnknown };
}
