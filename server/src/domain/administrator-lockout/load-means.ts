import { parseAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { provenRecipientOf } from "../contact/index.ts";
import { listReadyFactors } from "../factor/index.ts";
import { type IdentityLink, listGoodLinksOfUser } from "../identity-provider-link/index.ts";
import { findPasswordAuthor } from "../password/index.ts";
import { findDemandInAnyState } from "../session/index.ts";
import { findUser, type HumanUser, readAuthorOfCredential } from "../user/index.ts";
import { isOneOfTwo, listReadyCredentialsOfUser } from "../webauthn-key/index.ts";
import type { Means } from "./sign-in-methods.ts";

/** What a user has to sign in with, and their accounts at providers, which count as far as the providers do. */
export interface LoadedMeans {
  readonly means: Means;
  readonly links: readonly IdentityLink[];
}

/**
 * Step: reads what a user has to sign in with. What an administrator with fewer rights prepared does not count, as it
 * does not in a sign-in. Too many wrong guesses are no loss: they pass, and any stranger can make them. Undefined if
 * the user is gone.
 */
export async function loadMeans(tx: Tx, userId: string): Promise<LoadedMeans | undefined> {
  const { instanceId } = tx;
  const user = await findUser(tx, instanceId, userId);
  const demand = await findDemandInAnyState(tx, instanceId, userId);
  if (user?.kind !== "human" || demand === undefined) return undefined;
  const author = await findPasswordAuthor(tx, instanceId, userId);
  const { email, phone } = user;
  return {
    means: {
      demand,
      hasPassword: author !== undefined && (await isGood(tx, author, userId)),
      hasGoodAddress: user.state === "active" && (await hasGoodAddress(tx, user)),
      ready: await listReadyFactors(tx, instanceId, userId),
      keys: await listKeys(tx, user),
      isReachable: { otp_email: email.isVerified, otp_sms: phone?.isVerified === true },
    },
    links: await listGoodLinksOfUser(tx, instanceId, { mayPrepareFor }, user),
  };
}

const hasGoodAddress = async (tx: Tx, user: HumanUser): Promise<boolean> =>
  (await provenRecipientOf(tx, { mayPrepareFor, mayVouchFor }, user, "email")) !== undefined;

async function listKeys(tx: Tx, { userId, organizationId }: HumanUser): Promise<Means["keys"]> {
  const keys: Means["keys"][number][] = [];
  for (const key of await listReadyCredentialsOfUser(tx, tx.instanceId, userId)) {
    const isPasskey = key.kind === "passkey";
    if (isPasskey && !(await isGood(tx, readAuthorOfCredential(key.author, organizationId), userId))) continue;
    const isOneFactor = await isOneOfTwo(tx, tx.instanceId, key);
    keys.push({ isPasskey, isFromMessage: key.isFromMessage, isOneFactor });
  }
  return keys;
}

const isGood = async (tx: Tx, author: string, userId: string): Promise<boolean> =>
  author === "" || mayPrepareFor(tx, tx.instanceId, parseAuthor(author), userId);
