import type { Call } from "../../call/index.ts";
import type { Script } from "../../domain/script/index.ts";
import type { User } from "../../domain/user/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { readersOfAccount } from "./readers.ts";
import { doReadersTrustWord } from "./trust-word.ts";

/** Who reads claims: organizations, or for the token of a service account its audience. */
export type ReadersOfClaims =
  | { readonly organizationIds: ReadonlySet<string> }
  | { readonly ofAccount: readonly string[] };

/**
 * Returns whether a script's claims count for the readers: where they trust the word of the user's organization (A13).
 * The word of administrators of the instance counts everywhere.
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
  const doTrust = await doReadersTrustWord(deps, { instanceId, organizationIds }, user);
  return ({ trust }) => doTrust || trust.isByInstance;
}
