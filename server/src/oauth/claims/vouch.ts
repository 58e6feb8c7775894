import { findOwnerOfDomain } from "../../domain/organization/index.ts";
import { type HumanUser, reachesInstance, type User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";

/**
 * Returns the user as the organizations that read a claim see them. An administrator of an organization can mark any
 * address or number as verified, and an application that knows its users by their addresses would confuse that user
 * with the owner of the address. So the mark counts only in that organization (A13); everywhere else `email_verified`
 * and `phone_number_verified` say what a code, an administrator or a provider of the instance, or a proven domain of
 * the organization has proven. Where the instance's organizations trust one another (`skipConsentAcrossOrganizations`),
 * each word counts in all of them, though not for the application of a stranger.
 */
export async function asToldTo(
  deps: Pick<OAuthDeps, "database" | "settings">,
  { instanceId, organizationIds }: { readonly instanceId: string; readonly organizationIds: ReadonlySet<string> },
  user: User,
): Promise<User> {
  if (user.kind !== "human") return user;
  const { email, phone } = user;
  if (organizationIds.values().every((organizationId) => organizationId === user.organizationId)) return user;
  const { settings } = await deps.settings.get("security", { instanceId });
  if (settings.skipConsentAcrossOrganizations && !organizationIds.has("")) return user;
  const isEmailVerified = email.isVerified && (await isEmailProven(deps, instanceId, user));
  return {
    ...user,
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
