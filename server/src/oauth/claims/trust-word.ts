import type { User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";

/**
 * Whether readers trust the word of the user's organization: what its administrators, and scripts that they wrote, say
 * of the user. It counts in that organization alone, because an application of another one could not tell it from what
 * its own organization says (A13). Where the instance's organizations trust one another
 * (`skipConsentAcrossOrganizations`), the word of each counts in all of them, though not for the application of a
 * stranger (the empty text).
 */
export async function doReadersTrustWord(
  deps: Pick<OAuthDeps, "settings">,
  { instanceId, organizationIds }: { readonly instanceId: string; readonly organizationIds: ReadonlySet<string> },
  user: Pick<User, "organizationId">,
): Promise<boolean> {
  if (organizationIds.values().every((organizationId) => organizationId === user.organizationId)) return true;
  const { settings } = await deps.settings.get("security", { instanceId });
  return settings.skipConsentAcrossOrganizations && !organizationIds.has("");
}
