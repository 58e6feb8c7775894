import type { Tx } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import type { AccountNotice } from "../message-text/index.ts";
import { queueAccountNotice } from "../notification/index.ts";
import { findNoticeAddress } from "./account-notice.store.ts";

/** An address that the user had proven before a change took it away. */
export interface FormerEmail {
  readonly address: string;
  readonly isVerified: boolean;
}

const addedFactor =
  /^user[.](?:totp[.]verified|otp_(?:email|sms)[.]added|(?:passkey|u2f)[.]verified|recovery_codes[.]generated)$/;
const removedFactor = /^user[.](?:totp|otp_email|otp_sms|passkey|u2f|recovery_codes)[.]removed$/;

/**
 * Returns the notice that a user gets when an event is recorded; undefined for none. A new password has its own
 * message.
 */
function noticeOf(type: string): AccountNotice | undefined {
  if (type === "user.phone.set" || type === "user.phone.removed") return "phone_changed";
  if (type === "user.username.set") return "username_changed";
  if (type === "user.human.externalidp.added") return "link_added";
  if (/^user[.]human[.]externalidp[.](?:cascade[.])?removed$/.test(type)) return "link_removed";
  if (type === "user.impersonation.started") return "signed_in_as";
  if (addedFactor.test(type)) return "factor_added";
  return removedFactor.test(type) ? "factor_removed" : undefined;
}

/**
 * Step, for everything that is recorded of a user: tells the user of changes to what they sign in with, by any caller
 * and by whichever way, at the address that was proven before (ASVS 6.3.7). The makers of an account are not told of
 * it, but its user is told of an account at a provider that an administrator linked at once.
 */
export async function tellOfChange(
  tx: Tx,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  {
    type,
    sequence,
    formerEmail,
    isToldToNewcomer,
  }: {
    readonly type: string;
    readonly sequence: number;
    readonly formerEmail?: FormerEmail | undefined;
    readonly isToldToNewcomer: boolean;
  },
): Promise<void> {
  const notice = formerEmail === undefined ? noticeOf(type) : "email_changed";
  if (notice === undefined) return;
  const found = await findNoticeAddress(tx, tx.instanceId, userId);
  if (found === undefined || (found.createdAt === tx.now && !isToldToNewcomer)) return;
  const current = found.isEmailVerified === 1 ? (found.email ?? undefined) : undefined;
  const recipient = formerEmail === undefined ? current : formerEmail.isVerified ? formerEmail.address : undefined;
  if (recipient === undefined) return;
  const language =
    found.preferredLanguage ?? (await findInstance(tx, tx.instanceId))?.defaultLanguage ?? tx.call.language;
  await queueAccountNotice(tx, { notice, userId, organizationId, recipient, language, sequence });
}
