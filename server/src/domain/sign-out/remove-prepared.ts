import type { Tx } from "../../database/index.ts";
import { managesUsers } from "../administrator-access/index.ts";
import { listConsentsOfUser } from "../consent/index.ts";
import { clearPhone, findContactOrigins } from "../contact/index.ts";
import { removeUnfinishedFactors } from "../factor/index.ts";
import { answerSlack } from "../identity-provider-intent/index.ts";
import { removePreparedLinks } from "../identity-provider-link/index.ts";
import { removeAcceptedMemberships } from "../membership/index.ts";
import { deleteAllOneTimeSecrets } from "../one-time-secret/index.ts";
import { forgetBrowsersOfUser } from "../session/index.ts";
import { endClientOfUser } from "../token/index.ts";
import { endSignInsOfUsers, findUser, type HumanUser } from "../user/index.ts";
import { removeKeys } from "../webauthn-key/index.ts";
import { endSessions } from "./terminate-session.ts";

/**
 * Step: ends and removes what those who had an account before its owner could have left in it, so that they cannot come
 * back: sessions with what was issued from them and the browsers that they were in, sign-ins under way, codes, passkeys
 * and security keys. Recovery codes alone would keep the owner out. Where neither a provider nor those who manage the
 * user said whose the account is, also consents with what clients got by them, positions that were accepted, and the
 * accounts at providers and the number that those who manage the user did not name. Other factors open nothing by
 * themselves, and may have been imported. The user is locked; `former` is how they were before.
 */
export async function removePrepared(tx: Tx, former: HumanUser): Promise<void> {
  const { userId } = former;
  // The owner may come back from a provider at once. What waits of others there has no link to this user any longer.
  await endSignInsOfUsers(tx, [userId], tx.now - answerSlack);
  await endSessions(tx, { userIds: [userId] });
  await forgetBrowsersOfUser(tx, userId);
  await deleteAllOneTimeSecrets(tx, [userId]);
  await removeKeys(tx, former);
  await removeUnfinishedFactors(tx, former);
  if (isOwned(former)) return;
  await removePreparedLinks(tx, { managesUsers }, former);
  await removePreparedPhone(tx, former);
  await removeAcceptedMemberships(tx, userId);
  await withdrawConsents(tx, former);
}

/**
 * Whether the account was that of the reader of the address before: by the word of a provider about both, or of those
 * who manage the user. A code that was entered proves the address, but not who put the rest into the account.
 */
function isOwned({ email: { isVerified, proof }, organizationId }: HumanUser): boolean {
  if (!isVerified || proof === undefined || proof.by === "code") return false;
  return proof.by === "provider" || proof.author === undefined || managesUsers(proof.author, organizationId);
}

async function removePreparedPhone(tx: Tx, { userId, organizationId }: HumanUser): Promise<void> {
  const { sms } = await findContactOrigins(tx, tx.instanceId, userId);
  if (sms === undefined || managesUsers(sms.namedBy, organizationId)) return;
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind === "human") await clearPhone(tx, user);
}

async function withdrawConsents(tx: Tx, { userId, organizationId }: HumanUser): Promise<void> {
  let consents = await listConsentsOfUser(tx, tx.instanceId, userId);
  while (consents.length > 0) {
    for (const { clientId } of consents)
      await endClientOfUser(tx, { userId, clientId, organizationId }, "account_begun");
    consents = await listConsentsOfUser(tx, tx.instanceId, userId);
  }
}
