import { canonicalName } from "../../base/canonical.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import { type CodeDeps, insertHuman, refuseUsedName } from "../user/index.ts";
import { accountOf, type ExternalAttempt } from "./external-attempt.ts";

/** What a user cannot be without. */
export interface Newcomer {
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
}

/** A newcomer as the provider describes him; undefined when it does not say everything. */
export function readNewcomer({ givenName, familyName, email }: ExternalIdentity): Newcomer | undefined {
  if (givenName === undefined || familyName === undefined || email === undefined) return undefined;
  return { givenName, familyName, email };
}

/** Whether the provider vouches for an address: only for the very one that it names. */
export const isProvenBy = ({ identity }: ExternalAttempt, email: string): boolean =>
  identity.isEmailVerified && canonicalName(email) === canonicalName(identity.email ?? "");

/** Somebody new, and where he will be. */
export interface NewcomerIn extends Newcomer {
  readonly organizationId: string;
  /** The id that he has since a code went to his address, which has proven it by now. */
  readonly provenUserId?: string | undefined;
}

/**
 * Step: makes a user for an account, with the address as his name. Refuses an address that anybody of the instance has, verified or not: it would
 * mean two people. Only the very address that the provider vouches for counts as proven, or one of which the code was entered; any other is asked about
 * by message.
 */
export async function createNewcomer(
  tx: Tx,
  deps: CodeDeps,
  call: Call,
  attempt: ExternalAttempt,
  { organizationId, givenName, familyName, email, provenUserId }: NewcomerIn,
): Promise<string> {
  await refuseUsedName(tx, call.instanceId, { organizationId, email });
  const { applicationName, urlTemplate } = attempt;
  const isProven = provenUserId !== undefined || isProvenBy(attempt, email);
  const { userId } = await insertHuman(tx, deps, {
    organizationId,
    userId: provenUserId,
    profile: { givenName, familyName, preferredLanguage: call.language },
    email: {
      address: email,
      verification: isProven ? { by: "trust" } : { by: "message", applicationName, urlTemplate },
    },
    password: undefined,
    metadata: [],
  });
  await putIdentityLink(tx, { userId, organizationId }, { ...accountOf(attempt), isForNewUser: true });
  return userId;
}
