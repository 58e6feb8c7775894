import { accessOfAuthor, parseAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { permissionsOfAll } from "../administrator-access/index.ts";
import { listConsentsOfUser } from "../consent/index.ts";
import { clearPhone, findContactOrigins } from "../contact/index.ts";
import { removeProvenLinks } from "../identity-provider-link/index.ts";
import { removeAcceptedMemberships } from "../membership/index.ts";
import { endClientOfUser } from "../token/index.ts";
import { findUser, type HumanUser } from "../user/index.ts";
import { removeKeys } from "../webauthn-key/index.ts";

/**
 * Step: removes what those who had an account before its owner could have left in it, so that they cannot come back:
 * passkeys and security keys, consents with what clients got by them, positions that were accepted, the number unless
 * an administrator named it, and, if the address was not verified before, accounts at providers that were proven. The
 * new password or the new session ends sessions and codes. Other factors open nothing by themselves, and may have been
 * imported. The user is locked; `former` is how they were before.
 */
export async function removePrepared(tx: Tx, former: HumanUser): Promise<void> {
  const { userId, organizationId } = former;
  await removeKeys(tx, former);
  if (!former.email.isVerified) await removeProvenLinks(tx, former);
  await removePreparedPhone(tx, former);
  await removeAcceptedMemberships(tx, userId);
  let consents = await listConsentsOfUser(tx, tx.instanceId, userId);
  while (consents.length > 0) {
    for (const { clientId } of consents)
      await endClientOfUser(tx, { userId, clientId, organizationId }, "account_begun");
    consents = await listConsentsOfUser(tx, tx.instanceId, userId);
  }
}

async function removePreparedPhone(tx: Tx, { userId, organizationId }: HumanUser): Promise<void> {
  const { sms } = await findContactOrigins(tx, tx.instanceId, userId);
  if (sms === undefined || isByAdministrator(sms.namedBy, organizationId)) return;
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind === "human") await clearPhone(tx, user);
}

/** Whether it was named by those who manage the user, and not by the user or a sign-in application. */
function isByAdministrator(author: string | null, organizationId: string): boolean {
  if (author === null || author === "") return false;
  const positions = parseAuthor(author);
  if ("preparedBy" in positions) return false;
  return accessOfAuthor(positions, permissionsOfAll).allows("user.write", { organizationId });
}
