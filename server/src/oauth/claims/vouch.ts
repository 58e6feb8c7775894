import { addressKey } from "../../base/names/address-key.ts";
import { toLoginName } from "../../domain/login-name/index.ts";
import { findOrganization, findOrganizationDomain, findOwnerOfDomain } from "../../domain/organization/index.ts";
import { type HumanUser, reachesInstance, type User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { doReadersTrustWord } from "./trust-word.ts";

/**
 * Returns the user as the organizations that read a claim see them. An administrator of an organization can mark any
 * address or number as verified, and an application that knows its users by their addresses would confuse that user
 * with the owner of the address. So the mark counts only in that organization (A13); everywhere else `email_verified`
 * and `phone_number_verified` say what a code, an administrator or a provider of the instance, or a proven domain of
 * the organization has proven. A login name in the form of an address is told on the same terms.
 */
export async function asToldTo(
  deps: Pick<OAuthDeps, "database" | "settings">,
  { instanceId, organizationIds }: { readonly instanceId: string; readonly organizationIds: ReadonlySet<string> },
  user: User,
): Promise<User> {
  if (user.kind !== "human") return user;
  const { email, phone } = user;
  if (await doReadersTrustWord(deps, { instanceId, organizationIds }, user)) return user;
  const isEmailVerified = email.isVerified && (await isEmailProven(deps, instanceId, user));
  return {
    ...user,
    preferredLoginName: await toldLoginName(deps, instanceId, user, isEmailVerified),
    email: { ...email, isVerified: isEmailVerified },
    ...(phone && { phone: { ...phone, isVerified: phone.isVerified && reachesInstance(phone.proof) } }),
  };
}

async function isEmailProven(
  { database }: Pick<OAuthDeps, "database">,
  instanceId: string,
  { email, organizationId }: HumanUser,
): Promise<boolean> {
  if (reachesInstance(email.proof)) return true;
  const domain = email.address.slice(email.address.lastIndexOf("@") + 1);
  return (await findOwnerOfDomain(database.read, instanceId, domain)) === organizationId;
}

/**
 * Whether the login name of a user, as a reader sees it, is an address that the reader may take for theirs: the
 * verified one, or a name in a domain of their organization.
 */
export async function isLoginNameAddress(
  { database }: Pick<OAuthDeps, "database">,
  instanceId: string,
  told: User,
): Promise<boolean> {
  const [local, domain = "", ...others] = addressKey(told.preferredLoginName).split("@");
  if (local === "" || domain === "" || others.length > 0) return false;
  const email = told.kind === "human" && told.email.isVerified ? addressKey(told.email.address) : "";
  if (email === `${local}@${domain}`) return true;
  const found = await findOrganizationDomain(database.read, instanceId, told.organizationId, domain);
  return found?.isVerified === true;
}

/**
 * Returns a login name that cannot pass for the address of another user: the name itself where it is no address, where
 * it is the told address, or in a domain that the organization has proven; otherwise the one with that domain. Without
 * a proven primary domain, the id is left.
 */
async function toldLoginName(
  { database: { read } }: Pick<OAuthDeps, "database">,
  instanceId: string,
  { userId, username, organizationId, preferredLoginName, email }: HumanUser,
  isEmailVerified: boolean,
): Promise<string> {
  const key = addressKey(preferredLoginName);
  const at = key.lastIndexOf("@");
  if (at < 0 || (isEmailVerified && key === addressKey(email.address))) return preferredLoginName;
  if ((await findOwnerOfDomain(read, instanceId, key.slice(at + 1))) === organizationId) return preferredLoginName;
  const { primaryDomain = "" } = (await findOrganization(read, instanceId, organizationId)) ?? {};
  if ((await findOwnerOfDomain(read, instanceId, primaryDomain)) !== organizationId) return userId;
  return toLoginName({ shown: username, key: addressKey(username) }, primaryDomain).shown;
}
