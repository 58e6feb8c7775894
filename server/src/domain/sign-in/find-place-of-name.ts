import { canonicalName } from "../../base/canonical.ts";
import type { Call } from "../../call/index.ts";
import { findOrganization, findOwnerOfDomain } from "../organization/index.ts";
import { findUserScope } from "../user/index.ts";
import { type BrowserVisit, organizationOf, type SignInDeps } from "./browser-visit.ts";
import { settingsOf } from "./settings-of.ts";
import type { SignIn } from "./state.ts";

/**
 * Domain discovery: the organization whose verified domain a name ends in, when its settings allow it; the same for names that nobody has.
 * Undefined where the request says whose users may sign in.
 */
export async function discoverOrganization(
  deps: SignInDeps,
  call: Call,
  { authRequest }: BrowserVisit,
  loginName: string,
): Promise<string | undefined> {
  const domain = canonicalName(loginName).split("@").slice(1).at(-1);
  if (authRequest?.parameters.organizationId !== undefined || domain === undefined || domain === "") return undefined;
  const { read } = deps.database;
  const owner = await findOwnerOfDomain(read, call.instanceId, domain);
  if (owner === undefined || !(await settingsOf(deps, call, owner)).allowDomainDiscovery) return undefined;
  const organization = await findOrganization(read, call.instanceId, owner);
  return organization?.state === "active" ? owner : undefined;
}

/**
 * Whether a name that nobody has goes on like any other. Only the organization of the request, whose users alone are looked for, or the one whose
 * domain the name has, decides that for its own names; for every other name the instance does. An address can name any organization, so it does not
 * count here: whoever rules one could otherwise have it told who there is in others.
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

/** Where a name that was entered belongs. */
export interface PlaceOfName {
  /** Undefined where the settings of the instance hold. */
  readonly organizationId: string | undefined;
  /** Whether people sign in there with what is checked here. */
  readonly isLocalAllowed: boolean;
  /** Nobody has the name, and the settings let that be told. */
  readonly isToldUnknown: boolean;
}

/** The organization of a name: the one that the login is in, else that of the user, unless the settings hide who exists. */
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
  const { allowLocalAuthentication: isLocalAllowed } = await settingsOf(deps, call, organizationId);
  return { organizationId, isLocalAllowed, isToldUnknown: userId === undefined && isTold };
}
