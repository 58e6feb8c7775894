import { hash } from "node:crypto";
import type { Instant } from "../../base/clock.ts";
import { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { type CodeDeps, languageOf } from "../contact/index.ts";
import { sendInitialization } from "../invitation/index.ts";
import { payForMessage, queueNotification } from "../notification/index.ts";
import { generateCode, putOneTimeSecret, takePause } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import { resendInterval } from "../sign-in/index.ts";
import { findUser } from "../user/index.ts";
import type { NameHolder } from "./find-name-holder.ts";
import type { PendingSignUp } from "./pending-sign-up.ts";
import { takeFromSource } from "./take-from-source.ts";

export interface SignUpSending {
  readonly pending: PendingSignUp;
  /** The address as it is compared. */
  readonly addressKey: string;
  readonly holder: NameHolder;
  /** When the attempt ends, and the code with it. */
  readonly attemptEnd: Instant;
  /** Where users sign in, for a recipient who has an account already. */
  readonly signInAddress: string;
}

/**
 * Step: writes to the address with which an account is to be created: a code, or, to a user with an account, that it
 * exists. The browser sees no difference: a secret is stored either way, and as many rows are written; where the name
 * is taken the secret is unknowable. A source gets one message per interval to an address. What strangers ask for
 * elsewhere neither holds back that of its owner nor shows.
 *
 * Throws the Fault `message.too_many` when the source itself has asked too often.
 */
export async function sendSignUpMessage(tx: Tx, deps: CodeDeps, sending: SignUpSending): Promise<void> {
  const { pending, addressKey, holder, attemptEnd, signInAddress } = sending;
  const { userId, organizationId, email: recipient, language, applicationName, urlTemplate } = pending;
  const { source = "" } = tx.call;
  const subjectId = hash("sha256", `${addressKey}\n${source}`, "base64url");
  const key = { kind: "sign_up_message", subjectId } as const;
  if (!(await takePause(tx, { ...key, milliseconds: resendInterval }))) return;
  // Taken alike whether the address has an account or not, before anything replaces the code that was sent.
  const paid = { recipient, userId, organizationId };
  await takeFromSource(tx, deps, paid);
  if (!(await payForMessage(tx, deps, { ...paid, channel: "email", purpose: "code" }))) return;
  const format = await readCodeFormat(tx, tx.instanceId, "email_verification");
  const code = generateCode(deps.random, format);
  const lifetimeSeconds = Math.min(format.lifetimeSeconds, Math.floor((attemptEnd - tx.now) / 1000));
  const unknowable = new Secret(deps.random(32).toString("base64url"));
  const secret = { kind: "sign_up", subjectId: userId, bound: {}, lifetimeSeconds } as const;
  const { expiresAt } = await putOneTimeSecret(tx, { ...secret, secret: holder.is === "free" ? code : unknowable });
  tx.record({
    type: "sign_up.requested",
    aggregateType: "sign_up",
    aggregateId: deps.newId(),
    ownerId: organizationId,
    sequence: 1,
    payload: {},
  });
  const message = { channel: "email", organizationId, recipient, isPaid: true } as const;
  if (holder.is === "free") {
    const values = { code: code.reveal(), urlTemplate, ...(applicationName !== undefined && { applicationName }) };
    await queueNotification(tx, deps, { ...message, kind: "sign_up", userId, language, values, expiresAt });
    return;
  }
  const user = holder.is === "other" ? undefined : await findUser(tx, tx.instanceId, holder.userId);
  if (user?.kind !== "human") {
    // No message is sent, and as many rows are written.
    await putOneTimeSecret(tx, { ...secret, secret: unknowable });
    await putOneTimeSecret(tx, { ...secret, secret: unknowable });
  } else if (holder.is === "unproven") {
    await sendInitialization(tx, deps, user, { isPaid: true });
  } else {
    await queueNotification(tx, deps, {
      ...message,
      kind: "account_known",
      userId: user.userId,
      organizationId: user.organizationId,
      recipient: user.email.address,
      language: await languageOf(tx, user),
      values: { urlTemplate: signInAddress },
    });
  }
}
