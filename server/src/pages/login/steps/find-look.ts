import type { Client } from "../../../domain/application/index.ts";
import type { AuthRequest } from "../../../domain/auth-request/index.ts";
import { type SignIn, type SignInState, signInStates } from "../../../domain/sign-in/index.ts";
import { findUserScope } from "../../../domain/user/index.ts";
import type { PageDeps } from "../../deps.ts";

export interface LookInput {
  readonly instanceId: string;
  readonly authRequest: AuthRequest | undefined;
  readonly client: Pick<Client, "privateLabeling" | "organizationId"> | undefined;
  readonly at: SignIn;
}

/**
 * The organization whose look and words a login has: the one that the request names; the owner of the application's project where the project says
 * so; the one of whoever was named; else none, which is the instance's.
 */
export async function findLook(deps: PageDeps, input: LookInput): Promise<string | undefined> {
  const { authRequest, client } = input;
  const named = authRequest?.parameters.organizationId;
  if (named !== undefined) return named;
  const ofProject =
    client === undefined || client.privateLabeling === "unspecified" ? undefined : client.organizationId;
  if (client?.privateLabeling === "project_owner") return ofProject;
  return (await findOrganizationOfUser(deps, input)) ?? ofProject;
}

// In these somebody has proven who he is.
const proven: readonly SignInState[] = signInStates.filter(
  (state) => state !== "unnamed" && state !== "identified" && state !== "sign_up",
);

/** The organization of whoever was named. Where names that nobody has are not told from others, neither does the look tell them. */
async function findOrganizationOfUser(deps: PageDeps, { instanceId, at }: LookInput): Promise<string | undefined> {
  const { userId, state } = at;
  if (userId === undefined) return undefined;
  const hides = async (organizationId: string | undefined): Promise<boolean> =>
    !proven.includes(state) &&
    (await deps.settings.get("login", { instanceId, organizationId })).settings.ignoreUnknownUsernames;
  // Asked before the user is looked for, so that both take the same time.
  if (await hides(undefined)) return undefined;
  const user = await findUserScope(deps.database.read, instanceId, userId);
  return user === undefined || (await hides(user.organizationId)) ? undefined : user.organizationId;
}

/**
 * What login names of the organization that a request names end with, for people to see that they need not type it. Undefined where the names have
 * no domain, where the organization hides it, and beside a name that has one already.
 */
export async function findNameSuffix(
  deps: PageDeps,
  { instanceId, organizationId, loginName }: { instanceId: string; organizationId?: string; loginName: string },
): Promise<string | undefined> {
  if (organizationId === undefined || loginName.includes("@")) return undefined;
  const { primaryDomain, hidesLoginNameSuffix } = await deps.findBrand(instanceId, organizationId);
  if (primaryDomain === "" || hidesLoginNameSuffix) return undefined;
  const { settings } = await deps.settings.get("domain", { instanceId, organizationId });
  return settings.loginNameIncludesDomain ? `@${primaryDomain}` : undefined;
}
