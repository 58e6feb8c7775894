import { authorOfNothing, type Call, formatAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { authorOfProvider, mayPrepareFor } from "../administrator-access/index.ts";
import type { CodeDeps } from "../contact/index.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import { putIdentityLink } from "../identity-provider-link/index.ts";
import { emailKeyOf, refuseUsedName } from "../login-name/index.ts";
import { type PersonChange, unchanged } from "../script/index.ts";
import { takeFromSource, withChange, wordOfScripts } from "../sign-up/index.ts";
import type { ContactProof } from "../user/index.ts";
import { createPreparedHuman, type PreparedHuman } from "../user-management/index.ts";
import { accountOf, type ExternalAttempt } from "./external-attempt.ts";

/** What a new user must have. */
export interface Newcomer {
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
}

/** Reads a new user from the provider's description and what scripts made of it; undefined when it is incomplete. */
export function readNewcomer({
  identity,
  change,
}: {
  readonly identity: ExternalIdentity;
  readonly change?: PersonChange | undefined;
}): Newcomer | undefined {
  const { givenName, familyName, email } = { ...identity, ...change };
  if (givenName === undefined || familyName === undefined || email === undefined) return undefined;
  return { givenName, familyName, email };
}

/** Whether the provider vouches for an address: only for the exact address that it reports. */
export const isProvenBy = ({ identity }: ExternalAttempt, email: string): boolean =>
  identity.isEmailVerified && emailKeyOf(email) === (emailKeyOf(identity.email ?? "") ?? "");

/**
 * Whether scripts vouch for an address: for the one that they named, otherwise the one that the provider reported. It
 * counts in their organization alone.
 */
export const isVouchedForByScripts = ({ identity, change }: ExternalAttempt, email: string): boolean =>
  change?.isEmailVerified === true && emailKeyOf(email) === (emailKeyOf(change.email ?? identity.email ?? "") ?? "");

/**
 * Whether only scripts named an address: the provider did not report it. What scripts say is never taken for what the
 * provider said.
 */
const isNamedByScripts = ({ identity, change }: ExternalAttempt, email: string): boolean => {
  const key = emailKeyOf(email) ?? "";
  return key === emailKeyOf(change?.email ?? "") && key !== emailKeyOf(identity.email ?? "");
};

/** Returns the word of the provider about an address; where it counts as that of an organization alone, that one. */
export const wordOf = (
  { provider: { identityProviderId, ownerOrganizationId, speaker } }: Pick<ExternalAttempt, "provider">,
  alone = "",
): ContactProof => ({ by: "provider", identityProviderId, organizationId: ownerOrganizationId || alone, speaker });

/** A new user with the organization to be created in. */
export interface NewcomerIn extends Newcomer {
  readonly organizationId: string;
  /** Whether the user agreed on a page that named the organization. */
  readonly isAgreed: boolean;
  /** What scripts change before the user is created, besides what they made of the provider's answer. */
  readonly change?: PersonChange | undefined;
  /** The id that was assigned when a code was sent to the user's address, which is verified by now. */
  readonly provenUserId?: string | undefined;
}

/**
 * Step: creates a user for an account, with the address as username. Rejects an address that any user of the instance
 * has, verified or not: two users would share it. An address counts as verified only if the provider vouches for it or
 * its code was entered; otherwise a code is sent to it. A user who did not agree on a page that named the organization
 * belongs to it alone so far, if it is not the default one: neither account nor address counts elsewhere.
 */
export async function createNewcomer(
  tx: Tx,
  deps: CodeDeps,
  call: Call,
  attempt: ExternalAttempt,
  newcomer: NewcomerIn,
): Promise<string> {
  const { organizationId, isAgreed, change = unchanged } = newcomer;
  const isAlone = !isAgreed && organizationId !== attempt.defaultOrganizationId;
  const described = describeNewcomer(call, attempt, newcomer);
  // The administrators who answer for the provider decide which users come from it, whatever address a user enters.
  const namedBy = described.email.namedBy ?? formatAuthor(await authorOfProvider(tx, tx.instanceId, attempt.provider));
  const person = withChange({ ...described, email: { ...described.email, namedBy } }, change);
  const { address: recipient, verification } = person.email;
  await refuseUsedName(tx, call.instanceId, { organizationId, email: recipient });
  if (verification.by === "message") await takeFromSource(tx, deps, { recipient, organizationId });
  const { userId } = await createPreparedHuman(tx, deps, person);
  await putIdentityLink(
    tx,
    { mayPrepareFor },
    { userId, organizationId },
    { ...accountOf(attempt), isForNewUser: true, reach: isAlone ? "home" : "newcomer" },
  );
  return userId;
}

/**
 * Returns a new user as they are before scripts change them before the creation. An address that only scripts named has
 * an author who administers nothing, as at that trigger (`withChange`); who named another one is not known yet.
 */
export function describeNewcomer(
  call: Call,
  attempt: ExternalAttempt,
  { organizationId, givenName, familyName, email, isAgreed, provenUserId }: NewcomerIn,
): PreparedHuman {
  const { applicationName, urlTemplate, change = unchanged } = attempt;
  const isAlone = !isAgreed && organizationId !== attempt.defaultOrganizationId;
  const word = wordOf(attempt, isAlone ? organizationId : "");
  const proof: ContactProof | undefined =
    provenUserId !== undefined
      ? { by: "code" }
      : isProvenBy(attempt, email)
        ? word
        : isVouchedForByScripts(attempt, email)
          ? wordOfScripts(organizationId)
          : undefined;
  const person: PreparedHuman = {
    organizationId,
    userId: provenUserId,
    profile: { givenName, familyName, preferredLanguage: call.language },
    email: {
      address: email,
      ...(isNamedByScripts(attempt, email) && { namedBy: formatAuthor(authorOfNothing) }),
      verification: proof !== undefined ? { by: "trust", proof } : { by: "message", applicationName, urlTemplate },
    },
    password: undefined,
    metadata: [],
  };
  // Names and address are those of the newcomer, who may have entered others.
  const { givenName: _, familyName: __, email: ___, isEmailVerified: ____, ...more } = change;
  return withChange(person, more);
}
