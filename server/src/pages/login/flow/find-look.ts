import type { Call } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import type { AuthRequest } from "../../../domain/auth-request/index.ts";
import { loginSettingsOf } from "../../../domain/settings/index.ts";
import { type CurrentSignIn, isProvenState } from "../../../domain/sign-in/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Look } from "../../visit/visit.ts";
import { isInDomainOf } from "./is-in-domain-of.ts";
import { isNameOfLink } from "./is-of-application.ts";
import { servesOrganization } from "./serves-organization.ts";

export interface LookInput {
  readonly call: Call;
  readonly authRequest: AuthRequest | undefined;
  readonly client: Pick<Client, "privateLabeling" | "organizationId"> | undefined;
  readonly signIn: CurrentSignIn;
}

/**
 * Finds the organizations that determine the branding and texts of a login. That is the owner of the application's
 * project, where the project demands it; otherwise the organization of the named user. Without one it is the owner
 * again, unless the project leaves it unspecified, and else none: what the instance has. The organization in the
 * request comes first, for texts and the font only where the application serves it: any link can have any organization
 * in its scope, and its texts could ask users of others for their passwords elsewhere.
 */
export async function findLook(deps: PageDeps, input: LookInput): Promise<Look> {
  const { call, authRequest } = input;
  const named = authRequest?.parameters.organizationId;
  const speaks =
    authRequest !== undefined &&
    named !== undefined &&
    (!(await hasOwnWords(deps, call, named)) || (await servesOrganization(deps, call, authRequest, named)));
  const textsOrganizationId = speaks ? named : await findDecided(deps, input);
  return { organizationId: named ?? textsOrganizationId, textsOrganizationId };
}

// Most organizations have the texts and the font of their instance, which is known without a look at the database. A
// font can draw any word as another.
async function hasOwnWords(
  { settings, findLoginWords, findBrand }: PageDeps,
  { instanceId, language }: Call,
  organizationId: string,
): Promise<boolean> {
  const [brand, legal, links, own, common] = await Promise.all([
    findBrand(instanceId, organizationId),
    settings.get("legal_support", { instanceId, organizationId }),
    settings.get("links", { instanceId, organizationId }),
    findLoginWords({ instanceId, organizationId, language }),
    findLoginWords({ instanceId, organizationId: undefined, language }),
  ]);
  if (brand.isOfOrganization && brand.font !== undefined) return true;
  if (legal.source === "organization" || links.source === "organization") return true;
  return own.size !== common.size || [...own].some(([key, text]) => common.get(key) !== text);
}

/** Returns the organization that the application or the entered name decides. */
async function findDecided(deps: PageDeps, input: LookInput): Promise<string | undefined> {
  const { client } = input;
  const ofProject =
    client === undefined || client.privateLabeling === "unspecified" ? undefined : client.organizationId;
  if (client?.privateLabeling === "project_owner") return ofProject;
  return (await findOrganizationOfUser(deps, input)) ?? ofProject;
}

/**
 * Returns the organization of the named user, unless only a link named them. Where unknown usernames are concealed, the
 * branding does not reveal them either.
 */
export async function findOrganizationOfUser(
  deps: PageDeps,
  { call, authRequest, signIn }: Pick<LookInput, "call" | "authRequest" | "signIn">,
): Promise<string | undefined> {
  const { state, userOrganizationId } = signIn;
  if (userOrganizationId === undefined) return undefined;
  const isProven = isProvenState(state);
  const named = { authRequest, signIn };
  // With a scope, any name can mean a user of its organization.
  const isScope = authRequest?.parameters.organizationId !== undefined;
  if (isScope && !isProven && !(await isInDomainOf(deps, call, named, userOrganizationId))) return undefined;
  if (!isProven && (await isNameOfLink(deps, call, named, userOrganizationId))) return undefined;
  const hides = async (organizationId: string | undefined): Promise<boolean> =>
    !isProven && (await loginSettingsOf(deps, call, { organizationId })).ignoreUnknownUsernames;
  const isHidden = (await hides(undefined)) || (await hides(userOrganizationId));
  return isHidden ? undefined : userOrganizationId;
}

/**
 * Returns the suffix of usernames in the organization of a request, to show that it need not be typed. Undefined where
 * usernames have no domain, where the organization hides it, and for a name that already has one.
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
