import { Fault } from "../../base/fault.ts";
import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Details, Tx } from "../../database/index.ts";
import { authorOfRedeemed, isGoodCode, isOpenedByMessage, mayRedeem } from "../contact/index.ts";
import type { FactorDeps, KeyFactor } from "../factor/index.ts";
import { digestOneTimeSecret, putOneTimeSecret, redeemOneTimeSecret } from "../one-time-secret/index.ts";
import {
  findAuthorOfCredential,
  findUser,
  findUserScope,
  type HumanUser,
  holdAuthorizedUser,
  recordUserEvent,
  requireHuman,
  restsOnMessage,
  writeOwnCredential,
} from "../user/index.ts";
import { toCreationOptions } from "./creation-options.ts";
import { insertPendingCredential, listCredentialsOfUser, listReadyCredentials } from "./key-credential.store.ts";
import { ceremonySeconds, registrationEnd } from "./key-credential.ts";
import { chooseRelyingParty } from "./relying-party.ts";

/** A code that permits registering a passkey without the permission; both parts are needed. */
export interface RegistrationCode {
  readonly id: string;
  readonly code: string;
}

export interface RegisterKey {
  readonly userId: string;
  readonly kind: KeyFactor;
  /** Host for which the credential is created; the primary host of the instance when empty. */
  readonly domain: string;
  readonly attachment?: "platform" | "cross-platform" | undefined;
  readonly code?: RegistrationCode | undefined;
}

export interface RegisteredKey {
  readonly details: Details;
  readonly credentialId: string;
  /** Argument of `navigator.credentials.create()`. */
  readonly options: ReturnType<typeof toCreationOptions>;
}

// More than any user carries, and few enough to be sent to a browser.
const maximumKeys = 50;

/**
 * Starts the registration of a passkey or security key, with the permission or with a code, which is consumed. The key
 * is unusable until the answer of the authenticator was verified (`verifyKeyRegistration`).
 */
export async function registerKey(deps: FactorDeps, call: Call, input: RegisterKey): Promise<RegisteredKey> {
  const registered = await deps.database.change(call, async (tx) => {
    const authorized = await authorizeRegistration(tx, deps, input);
    return authorized && start(tx, deps, authorized, input);
  });
  if (registered === undefined) throw new Fault("invalid_argument", "user.code_invalid", { field: "code" });
  return registered;
}

/** Returns the secret that the two parts of a code form. */
export const toRegistrationSecret = ({ id, code }: RegistrationCode): Secret => new Secret(`${id}.${code}`);

interface Authorized {
  readonly user: HumanUser;
  /** The administrator who may have the key. */
  readonly author: string;
  /** Whether a message let its reader register the key, or the passkey that it is registered with. */
  readonly isFromMessage: boolean;
  /** The code that was redeemed, as it is stored: the registration ends with it. */
  readonly code?: string;
}

// A wrong code is counted and recorded, so it is returned and not thrown.
async function authorizeRegistration(
  tx: Tx,
  deps: FactorDeps,
  { userId, kind, code }: RegisterKey,
): Promise<Authorized | undefined> {
  if (code === undefined) {
    const held = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    // A security key is not a first factor, so like an authenticator app it has no such mark.
    const isFromMessage = kind === "passkey" && (await restsOnMessage(tx, held));
    return { user: held, author: await findAuthorOfCredential(tx, held), isFromMessage };
  }
  if (!mayRedeem(await findUserScope(tx, tx.instanceId, userId))) return undefined;
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind !== "human") return undefined;
  const of = { user, kind: "passkey_registration" } as const;
  if (!(await isGoodCode(tx, tx.instanceId, deps, of))) return undefined;
  const secret = { kind: "passkey_registration", subjectId: userId, secret: toRegistrationSecret(code) } as const;
  const redemption = await redeemOneTimeSecret(tx, secret);
  if (redemption.outcome === "redeemed") {
    const { bound } = redemption;
    const author = await authorOfRedeemed(tx, deps, user, bound);
    const stored = digestOneTimeSecret({ instanceId: tx.instanceId, ...secret }, secret.secret);
    return { user, author, isFromMessage: isOpenedByMessage(bound), code: stored };
  }
  if (redemption.outcome === "wrong")
    await recordUserEvent(tx, user, { type: "user.passkey_registration_check.failed" });
  return undefined;
}

async function start(
  tx: Tx,
  deps: FactorDeps,
  { user, author, isFromMessage, code }: Authorized,
  input: RegisterKey,
): Promise<RegisteredKey> {
  const { kind, domain, attachment } = input;
  const { userId } = user;
  const { id: relyingPartyId } = await chooseRelyingParty(tx, tx.instanceId, { domain, field: "domain" });
  if ((await listCredentialsOfUser(tx, tx.instanceId, userId)).length >= maximumKeys) {
    throw new Fault("resource_exhausted", "factor.too_many_keys", {
      field: "userId",
      values: { maximum: maximumKeys },
    });
  }
  const credentialId = deps.newId();
  const challenge = deps.random(32).toString("base64url");
  const expiresAt = registrationEnd(tx.now);
  await insertPendingCredential(tx, { credentialId, userId, kind, relyingPartyId, expiresAt, author, isFromMessage });
  await putOneTimeSecret(tx, {
    kind: "key_registration",
    subjectId: credentialId,
    secret: new Secret(challenge),
    bound: code === undefined ? {} : { code },
    lifetimeSeconds: ceremonySeconds,
  });
  const payload = { credentialId, relyingPartyId };
  const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.added`, payload });
  const existing = await listReadyCredentials(tx, tx.instanceId, { userId, relyingPartyId });
  return {
    details: { ...user.details, sequence, changedAt: tx.now },
    credentialId,
    options: toCreationOptions({ kind, relyingPartyId, challenge, user, existing, attachment }),
  };
}
