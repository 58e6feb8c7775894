import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import { type CodeDeps, insertHuman, refuseUsedName } from "../user/index.ts";
import { accountOf, type ExternalAttempt } from "./external-attempt.ts";

/** What a user cannot be without; undefined when the provider does not say it. */
export function readNewcomer({ identity }: ExternalAttempt) {
  const { givenName, familyName, email } = identity;
  if (givenName === undefined || familyName === undefined || email === undefined) return undefined;
  return { givenName, familyName, email };
}

/**
 * Step: makes a user for an account, with the address as his name. Refuses an address that anybody of the instance has, verified or not: it would
 * mean two people.
 */
export async function createNewcomer(
  tx: Tx,
  deps: CodeDeps,
  call: Call,
  attempt: ExternalAttempt,
  {
    organizationId,
    givenName,
    familyName,
    email,
  }: NonNullable<ReturnType<typeof readNewcomer>> & {
    readonly organizationId: string;
  },
): Promise<string> {
  await refuseUsedName(tx, call.instanceId, { organizationId, email });
  const { isEmailVerified } = attempt.identity;
  const { applicationName, urlTemplate } = attempt;
  const { userId } = await insertHuman(tx, deps, {
    organizationId,
    profile: { givenName, familyName, preferredLanguage: call.language },
    email: {
      address: email,
      verification: isEmailVerified ? { by: "trust" } : { by: "message", applicationName, urlTemplate },
    },
    password: undefined,
    metadata: [],
  });
  await putIdentityLink(tx, { userId, organizationId }, { ...accountOf(attempt), isForNewUser: true });
  return userId;
}
