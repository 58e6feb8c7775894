import type { Call } from "../../call/index.ts";
import { findMeaning, findNameMeaning, type Meaning, type MeantUser } from "../login-name/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";

/** What an entered name means in a login: read once in a request, and handed to everything that depends on it. */
export interface EnteredName {
  readonly loginName: string;
  /** The user with this name or number, whether or not settings permit to sign in with it. */
  readonly user: MeantUser | undefined;
  /**
   * Domain discovery: the organization with the proven domain that the name ends in, when its settings allow it;
   * unknown names included. Undefined where the request states whose users may sign in, and for a name that means a
   * user of another organization: users are never sent away from their own.
   */
  readonly discoveredOrganizationId: string | undefined;
  /**
   * Whether an unknown name continues like any other. Only the organization of the request, which restricts the search
   * to its users, or the one with the name's domain decides that for its own names; the instance decides for every
   * other name. An address can name any organization, so it does not count here: its administrators could otherwise
   * find out which users exist in others.
   */
  readonly hidesUnknown: boolean;
}

const longestName = 420;

/** Whether a name was entered that can be looked up. */
export const isEntered = (loginName: string): boolean => loginName !== "" && loginName.length <= longestName;

const meaningless = { user: undefined, owner: undefined };

/** Returns what an entered name means, by one statement whether or not it is known, and one more for a number. */
export async function readName(
  deps: SignInDeps,
  call: Call,
  visit: Pick<BrowserVisit, "authRequest">,
  loginName: string,
): Promise<EnteredName> {
  const organizationId = visit.authRequest?.parameters.organizationId;
  const meaning = isEntered(loginName)
    ? await findMeaning(deps.database.read, call.instanceId, loginName, { organizationId })
    : meaningless;
  return { loginName, user: meaning.user, ...(await discover(deps, call, organizationId, meaning)) };
}

type Discovery = Pick<EnteredName, "discoveredOrganizationId" | "hidesUnknown">;

interface Discoverable extends Pick<Meaning, "owner"> {
  readonly user: Pick<MeantUser, "organizationId"> | undefined;
}

async function discover(
  deps: SignInDeps,
  call: Call,
  organizationId: string | undefined,
  { user, owner }: Discoverable,
): Promise<Discovery> {
  const isDiscovered =
    organizationId === undefined &&
    owner?.state === "active" &&
    (user === undefined || user.organizationId === owner.organizationId) &&
    (await loginSettingsOf(deps, call, { organizationId: owner.organizationId })).allowDomainDiscovery;
  const discoveredOrganizationId = isDiscovered ? owner.organizationId : undefined;
  const { ignoreUnknownUsernames } = await loginSettingsOf(deps, call, {
    organizationId: organizationId ?? discoveredOrganizationId,
  });
  return { discoveredOrganizationId, hidesUnknown: ignoreUnknownUsernames };
}

/**
 * Returns the part of what a name means that settings decide; without a statement where the request names an
 * organization.
 */
export async function readDiscovery(
  deps: SignInDeps,
  call: Call,
  visit: Pick<BrowserVisit, "authRequest">,
  loginName: string,
): Promise<Discovery> {
  const organizationId = visit.authRequest?.parameters.organizationId;
  if (organizationId === undefined) {
    const { read } = deps.database;
    // Not a number, which has no domain.
    const meaning = isEntered(loginName) ? await findNameMeaning(read, call.instanceId, loginName) : meaningless;
    return discover(deps, call, organizationId, meaning);
  }
  const { ignoreUnknownUsernames } = await loginSettingsOf(deps, call, { organizationId });
  return { discoveredOrganizationId: undefined, hidesUnknown: ignoreUnknownUsernames };
}
