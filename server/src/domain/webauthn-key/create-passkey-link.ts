import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import {
  authorOfCode,
  type CodeDelivery,
  chooseMessageLink,
  findOpeningRecipient,
  languageOf,
  type OpeningDeps,
  senderOfCode,
} from "../contact/index.ts";
import type { FactorDeps } from "../factor/index.ts";
import { fillUrlTemplate, hostedTemplate, queueNotification } from "../notification/index.ts";
import { generateCode, putOneTimeSecret } from "../one-time-secret/index.ts";
import { readCodeFormat } from "../settings/index.ts";
import {
  type HumanUser,
  holdAuthorizedUser,
  isSelf,
  recordUserEvent,
  requireHuman,
  restsOnMessage,
} from "../user/index.ts";
import { type RegistrationCode, toRegistrationSecret } from "./register-key.ts";

const placeholders = ["UserID", "OrgID", "CodeID", "Code"] as const;

export interface CreatePasskeyLink {
  readonly userId: string;
  readonly delivery: CodeDelivery;
  /** Allows users to create links for themselves: they could just as well add the passkey directly. */
  readonly isSelfAllowed?: boolean;
}

/** A code for registering a passkey, and its lifetime. */
export interface IssuedRegistrationCode extends RegistrationCode {
  readonly lifetimeSeconds: number;
}

/**
 * Creates a code with which a user registers a passkey without being signed in; the former code becomes invalid. Sends
 * it by email as a link, or returns it. The link gives access to the account, so who asks for it decides to which
 * addresses it goes (`findOpeningRecipient`). Throws the Fault `user.email_unverified` for others.
 */
export function createPasskeyLink(
  deps: FactorDeps & OpeningDeps,
  call: Call,
  { userId, delivery, isSelfAllowed = false }: CreatePasskeyLink,
): Promise<{ readonly user: HumanUser; readonly details: Details; readonly code?: IssuedRegistrationCode }> {
  return deps.database.change(call, async (tx) => {
    const { mayActFor, isFresh, originOf } = deps;
    const isProven = delivery.by === "message";
    const wanted = {
      permission: "user.passkey.write",
      isSelfAllowed,
      mayActFor,
      isProven,
      isWithoutGain: isProven,
      link: { template: delivery.by === "message" ? delivery.urlTemplate : undefined, originOf },
      isFresh,
    } as const;
    const user = requireHuman(await holdAuthorizedUser(tx, userId, wanted));
    if (isProven && (await findOpeningRecipient(tx, deps, user, "email")) === undefined) {
      throw new Fault("failed_precondition", "user.email_unverified");
    }
    const { code, sequence } = await issuePasskeyCode(tx, deps, user, delivery);
    const details = { ...user.details, sequence, changedAt: tx.now };
    return delivery.by === "return" ? { user, details, code } : { user, details };
  });
}

/** Step: creates the code, and queues the message unless the code is to be returned. The caller has authorized it. */
export async function issuePasskeyCode(
  tx: Tx,
  deps: Pick<FactorDeps, "newId" | "random" | "vault" | "messageBudgets" | "originOf">,
  user: HumanUser,
  delivery: CodeDelivery,
): Promise<{ readonly code: IssuedRegistrationCode; readonly sequence: number }> {
  const { userId } = user;
  const format = await readCodeFormat(tx, tx.instanceId, "passkey_registration");
  const { lifetimeSeconds } = format;
  const code = { id: deps.newId(), code: generateCode(deps.random, format).reveal(), lifetimeSeconds };
  const secret = { kind: "passkey_registration", subjectId: userId, secret: toRegistrationSecret(code) } as const;
  const link = await chooseLink(tx, deps, user, delivery);
  const isReadByOthers = delivery.by === "return" || link?.isOfInstance === false;
  const sentBy = delivery.by === "message" ? senderOfCode(tx, user) : undefined;
  const bound = {
    by: delivery.by,
    author: authorOfCode(tx, user, { isReadByOthers }),
    ...(delivery.by === "message" && { recipient: user.email.address }),
    ...(sentBy !== undefined && { sentBy }),
    ...(isSelf(tx.call, userId) && { isOwn: "1" }),
    ...((await restsOnMessage(tx, user)) && { isFromMessage: "1" }),
  };
  const { expiresAt } = await putOneTimeSecret(tx, { ...secret, bound, lifetimeSeconds });
  const payload = { expiresAt, isReturned: delivery.by === "return" };
  const sequence = await recordUserEvent(tx, user, { type: "user.passkey_registration_code.added", payload });
  if (delivery.by === "return") return { code, sequence };
  const urlTemplate = link && fill(link.template, user, code);
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
  return { code, sequence };
}

async function chooseLink(tx: Tx, deps: Pick<FactorDeps, "originOf">, user: HumanUser, delivery: CodeDelivery) {
  if (delivery.by === "return") return undefined;
  const { urlTemplate: template } = delivery;
  return chooseMessageLink(tx, deps, { user, template, placeholders, field: "sendLink.urlTemplate" });
}

/** Returns the address of our page on which a passkey is registered with a code. */
export function toPasskeyLink(
  origin: string,
  user: { readonly userId: string; readonly organizationId: string },
  code: RegistrationCode,
): string {
  const template = hostedTemplate(origin, { kind: "passkey_registration", channel: "email" }) ?? origin;
  return fill(template, user, code);
}

const fill = (
  template: string,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  { id, code }: RegistrationCode,
): string => fillUrlTemplate(template, { UserID: userId, OrgID: organizationId, CodeID: id, Code: code });
