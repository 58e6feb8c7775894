import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { fillUrlTemplate, parseUrlTemplate, queueNotification } from "../notification/index.ts";
import { generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import {
  type CodeDelivery,
  type HumanUser,
  holdAuthorizedUser,
  languageOf,
  recordUserEvent,
  requireHuman,
} from "../user/index.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { type RegistrationCode, toRegistrationSecret } from "./register-key.ts";

const codeFormat = { length: 12, alphabet: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", lifetimeSeconds: 3600 } as const;
const placeholders = ["UserID", "OrgID", "CodeID", "Code"] as const;

/**
 * Makes a code with which a person registers a passkey without being signed in; the former one is dead. Mails it as a link, or returns it. For
 * administrators: it opens the account.
 */
export function createPasskeyLink(
  deps: FactorDeps,
  call: Call,
  { userId, delivery }: { readonly userId: string; readonly delivery: CodeDelivery },
): Promise<{ readonly details: Details; readonly code?: RegistrationCode }> {
  return deps.database.change(call, async (tx) => {
    const wanted = { permission: "user.passkey.write", isSelfAllowed: false, mayActFor: deps.mayActFor } as const;
    const user = requireHuman(await holdAuthorizedUser(tx, userId, wanted));
    const code = { id: deps.newId(), code: generateCode(deps.random, codeFormat).reveal() };
    const { lifetimeSeconds } = codeFormat;
    const secret = { kind: "passkey_registration", subjectId: userId, secret: toRegistrationSecret(code) } as const;
    const { expiresAt } = await putOneTimeSecret(tx, { ...secret, bound: {}, lifetimeSeconds });
    const payload = { expiresAt, isReturned: delivery.by === "return" };
    const sequence = await recordUserEvent(tx, user, { type: "user.passkey_registration_code.added", payload });
    const details = { ...user.details, sequence, changedAt: tx.now };
    if (delivery.by === "return") return { details, code };
    const urlTemplate = toLink(delivery.urlTemplate, user, code);
    await queueNotification(tx, deps, {
      kind: "passkey_registration",
      channel: "email",
      userId,
      organizationId: user.organizationId,
      recipient: user.email.address,
      language: await languageOf(tx, user),
      values: { code: code.code, codeId: code.id, ...(urlTemplate !== undefined && { urlTemplate }) },
      expiresAt,
    });
    return { details };
  });
}

// Filled here: whoever sends the message does not know the id of the code.
function toLink(template: string | undefined, user: HumanUser, code: RegistrationCode): string | undefined {
  if (template === undefined) return undefined;
  return fillUrlTemplate(parseUrlTemplate(template, placeholders, "sendLink.urlTemplate"), {
    UserID: user.userId,
    OrgID: user.organizationId,
    CodeID: code.id,
    Code: code.code,
  });
}
