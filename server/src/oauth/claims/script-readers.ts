import type { Call } from "../../call/index.ts";
import type { Script } from "../../domain/script/index.ts";
import type { User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { readersOfAccount } from "./readers.ts";

/** Who reads claims: organizations, or for the token of a service account its audience. */
export type ReadersOfClaims =
  | { readonly organizationIds: ReadonlySet<string> }
  | { readonly ofAccount: readonly string[] };

/**
 * Returns whether a script's claims count for the readers. What the administrators of one organization say of their
 * users counts there alone: an application of another one could not tell it from what its own organization says (A13).
 * The word of administrators of the instance counts everywhere, and that of each organization where the instance's
 * organizations trust one another (`skipConsentAcrossOrganizations`), though not for the application of a stranger.
 */
export async function countsForReaders(
  deps: OAuthDeps,
  { instanceId }: Call,
  user: User,
  readers: ReadersOfClaims,
): Promise<(script: Script) => boolean> {
  const organizationIds =
    "ofAccount" in readers
      ? await readersOfAccount(deps, instanceId, { userId: user.userId, audience: readers.ofAccount })
      : readers.organizationIds;
  if (organizationIds.values().every((organizationId) => organizationId === user.organizationId)) return () => true;
  const { settings } = await deps.settings.get("security", { instanceId });
  const doTrust = settings.skipConsentAcrossOrganizations && !organizationIds.has("");
  return ({ trust }) => doTrust || trust.isByInstance;
}
