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

/**
 * Passwords and passkeys that an administrator with fewer rights knows sign a user in, who may have no others; and the
 * user may have none of them, so those that are left must be enough by themselves. `all`: everything that signs the
 * user in. `own`: without what such an administrator prepared.
 */
export type Reading = "all" | "own";

/** What a user has to sign in with, and their accounts at providers, which count as far as the providers do. */
export interface LoadedMeans {
  readonly readings: Readonly<Record<Reading, Means>>;
  readonly links: readonly IdentityLink[];
}

/**
 * Step: reads what a user has to sign in with. A link that an administrator with fewer rights prepared does not count,
 * as it does not in a sign-in. Too many wrong guesses are no loss: they pass, and any stranger can make them. Undefined
 * if the user is gone.
 */
export async function loadMeans(tx: Tx, userId: string): Promise<LoadedMeans | undefined> {
  const { instanceId } = tx;
  const user = await findUser(tx, instanceId, userId);
  const demand = await findDemandInAnyState(tx, instanceId, userId);
  if (user?.kind !== "human" || demand === undefined) return undefined;
  const author = await findPasswordAuthor(tx, instanceId, userId);
  const hasPassword = author !== undefined;
  const keys = await listKeys(tx, user);
  const { email, phone } = user;
  const others = {
    demand,
    hasGoodAddress: user.state === "active" && (await hasGoodAddress(tx, user)),
    ready: await listReadyFactors(tx, instanceId, userId),
    isReachable: { otp_email: email.isVerified, otp_sms: phone?.isVerified === true },
  };
  return {
    readings: {
      all: { ...others, hasPassword, keys: keys.map(({ key }) => key) },
      own: {
        ...others,
        hasPassword: hasPassword && (await isGood(tx, author, userId)),
        keys: keys.filter((each) => each.isGood).map(({ key }) => key),
      },
    },
    links: await listGoodLinksOfUser(tx, instanceId, { mayPrepareFor }, user),
  };
}

const hasGoodAddress = async (tx: Tx, user: HumanUser): Promise<boolean> =>
  (await provenRecipientOf(tx, { mayPrepareFor, mayVouchFor }, user, "email")) !== undefined;

async function listKeys(
  tx: Tx,
  { userId, organizationId }: HumanUser,
): Promise<{ readonly key: Means["keys"][number]; readonly isGood: boolean }[]> {
  const keys: { readonly key: Means["keys"][number]; readonly isGood: boolean }[] = [];
  for (const key of await listReadyCredentialsOfUser(tx, tx.instanceId, userId)) {
    const isPasskey = key.kind === "passkey";
    const isOneFactor = await isOneOfTwo(tx, tx.instanceId, key);
    keys.push({
      key: { isPasskey, isFromMessage: key.isFromMessage, isOneFactor },
      isGood: !isPasskey || (await isGood(tx, readAuthorOfCredential(key.author, organizationId), userId)),
    });
  }
  return keys;
}

const isGood = async (tx: Tx, author: string, userId: string): Promise<boolean> =>
  author === "" || mayPrepareFor(tx, tx.instanceId, parseAuthor(author), userId);
