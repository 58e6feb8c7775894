import { Fault } from "../../base/fault.ts";
import type { Random } from "../../base/random.ts";
import { Secret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { putOneTimeSecret } from "../one-time-secret/index.ts";
import { toDescriptor } from "./creation-options.ts";
import { listReadyCredentials } from "./key-credential.store.ts";
import { anyUser, ceremonySeconds } from "./key-credential.ts";
import { chooseRelyingParty } from "./relying-party.ts";

/** Whether the authenticator must verify the user (WebAuthn §5.8.6). */
export type UserVerification = "required" | "preferred" | "discouraged";

export interface KeyChallenge {
  readonly userId: string;
  /** The answer is valid for this session only. */
  readonly sessionId: string;
  /** Host that the credentials are for. */
  readonly domain: string;
  readonly userVerification: UserVerification;
  /** Name of the input that asked for the challenge, for error messages. */
  readonly field: string;
}

/** Argument of `navigator.credentials.get()` as JSON (WebAuthn §5.5); binary members are base64url. */
export type RequestOptions = {
  readonly publicKey: {
    readonly challenge: string;
    readonly timeout: number;
    readonly rpId: string;
    readonly allowCredentials: ReturnType<typeof toDescriptor>[];
    readonly userVerification: UserVerification;
  };
};

/**
 * Step: creates a challenge for the passkeys and security keys of a user; the former challenge of the session becomes
 * invalid. When the user must be verified, only passkeys are asked, because they were created for that. Throws when the
 * user has none for the domain.
 */
export async function challengeKey(
  tx: Tx,
  deps: { readonly random: Random },
  { userId, sessionId, domain, userVerification, field }: KeyChallenge,
): Promise<RequestOptions> {
  const { id: relyingPartyId } = await chooseRelyingParty(tx, tx.instanceId, { domain, field: `${field}.domain` });
  const all = await listReadyCredentials(tx, tx.instanceId, { userId, relyingPartyId });
  const credentials = userVerification === "required" ? all.filter(({ kind }) => kind === "passkey") : all;
  if (credentials.length === 0) throw new Fault("failed_precondition", "factor.absent", { field });
  const challenge = await putChallenge(tx, deps, { sessionId, bound: { userId, relyingPartyId, userVerification } });
  const allowCredentials = credentials.map(toDescriptor);
  return toRequestOptions({ challenge, relyingPartyId, allowCredentials, userVerification });
}

/**
 * Step: creates a challenge that a passkey of any user may answer. It serves sign-ins without a name, and those with a
 * name as well, so that the options do not disclose which passkeys a name has. The authenticator must verify the user.
 */
export async function challengeAnyPasskey(
  tx: Tx,
  deps: { readonly random: Random },
  { sessionId, domain, field }: Pick<KeyChallenge, "sessionId" | "domain" | "field">,
): Promise<RequestOptions> {
  const { id: relyingPartyId } = await chooseRelyingParty(tx, tx.instanceId, { domain, field });
  const userVerification = "required";
  const challenge = await putChallenge(tx, deps, {
    sessionId,
    bound: { userId: anyUser, relyingPartyId, userVerification },
  });
  return toRequestOptions({ challenge, relyingPartyId, allowCredentials: [], userVerification });
}

async function putChallenge(
  tx: Tx,
  deps: { readonly random: Random },
  { sessionId, bound }: { readonly sessionId: string; readonly bound: Readonly<Record<string, string>> },
): Promise<string> {
  const challenge = deps.random(32).toString("base64url");
  const secret = new Secret(challenge);
  const subject = { kind: "session_web_auth_n", subjectId: sessionId } as const;
  await putOneTimeSecret(tx, { ...subject, secret, bound, lifetimeSeconds: ceremonySeconds });
  return challenge;
}

const toRequestOptions = ({
  relyingPartyId: rpId,
  ...options
}: Omit<RequestOptions["publicKey"], "rpId" | "timeout"> & { readonly relyingPartyId: string }): RequestOptions => ({
  publicKey: { ...options, rpId, timeout: ceremonySeconds * 1000 },
});
