import { parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { isCredentialSuspended, mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { provenRecipientOf } from "../contact/index.ts";
import { listReadyFactors } from "../factor/index.ts";
import { type LinkKind, listGoodLinkKinds } from "../identity-provider-link/index.ts";
import { findPasswordAuthor } from "../password/index.ts";
import { findDemandInAnyState } from "../session/index.ts";
import { findUser, type HumanUser, readAuthorOfCredential } from "../user/index.ts";
import { isOneOfTwo, listReadyCredentialsOfUser } from "../webauthn-key/index.ts";
import type { Means } from "./sign-in-methods.ts";

/**
 * Passwords and passkeys that an administrator with fewer rights knows sign a user in, who may have no others; and the
 * user may have none of them, so those that are left must be enough by themselves. `all`: everything that signs the
 * user in. `own`: without what such an administrator prepared.
 */
export type Reading = "all" | "own";

/** What a user has to sign in with, and their accounts at providers, which count as far as the providers do. */
export interface LoadedMeans {
  readonly readings: Readonly<Record<Reading, Means>>;
  readonly links: readonly LinkKind[];
}

/**
 * Step: reads what a user has to sign in with. A link that an administrator with fewer rights prepared does not count,
 * as it does not in a sign-in; neither do those at other providers than the given ones, which are offered. Too many
 * wrong guesses are no loss: they pass, and any stranger can make them. Undefined if the user is gone.
 */
export async function loadMeans(
  reader: Reader,
  instanceId: string,
  { userId, identityProviderIds }: { readonly userId: string; readonly identityProviderIds: readonly string[] },
): Promise<LoadedMeans | undefined> {
  const user = await findUser(reader, instanceId, userId);
  const demand = await findDemandInAnyState(reader, instanceId, userId);
  if (user?.kind !== "human" || demand === undefined) return undefined;
  const password = await findPasswordAuthor(reader, instanceId, userId);
  const hasPassword =
    password !== undefined && !(await isCredentialSuspended(reader, instanceId, { userId, ...password }));
  const keys = await listKeys(reader, instanceId, user);
  const { email, phone } = user;
  const others = {
    demand,
    hasGoodAddress: user.state === "active" && (await hasGoodAddress(reader, instanceId, user)),
    ready: await listReadyFactors(reader, instanceId, userId),
    isReachable: { otp_email: email.isVerified, otp_sms: phone?.isVerified === true },
  };
  return {
    readings: {
      all: { ...others, hasPassword, keys: keys.map(({ key }) => key) },
      own: {
        ...others,
        hasPassword: hasPassword && (await isGood(reader, instanceId, { author: password.author, userId })),
        keys: keys.filter((each) => each.isGood).map(({ key }) => key),
      },
    },
    links: await listGoodLinkKinds(reader, instanceId, { mayPrepareFor }, { ...user, identityProviderIds }),
  };
}

const hasGoodAddress = async (reader: Reader, instanceId: string, user: HumanUser): Promise<boolean> =>
  (await provenRecipientOf(reader, instanceId, { mayPrepareFor, mayVouchFor }, { user, channel: "email" })) !==
  undefined;

async function listKeys(
  reader: Reader,
  instanceId: string,
  { userId, organizationId }: HumanUser,
): Promise<{ readonly key: Means["keys"][number]; readonly isGood: boolean }[]> {
  const keys: { readonly key: Means["keys"][number]; readonly isGood: boolean }[] = [];
  for (const key of await listReadyCredentialsOfUser(reader, instanceId, userId)) {
    const isOneFactor = await isOneOfTwo(reader, instanceId, key);
    const author = readAuthorOfCredential(key.author, organizationId);
    const made = { userId, author, madeAt: key.createdAt };
    // One that signs in no longer is still a second factor.
    const isPasskey = key.kind === "passkey" && !(await isCredentialSuspended(reader, instanceId, made));
    keys.push({
      key: { isPasskey, isFromMessage: key.isFromMessage, isOneFactor },
      isGood: !isPasskey || (await isGood(reader, instanceId, { author, userId })),
    });
  }
  return keys;
}

const isGood = async (
  reader: Reader,
  instanceId: string,
  { author, userId }: { readonly author: string; readonly userId: string },
): Promise<boolean> => author === "" || mayPrepareFor(reader, instanceId, parseAuthor(author), userId);
