import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { FactorDeps } from "../factor/index.ts";
import { putOneTimeSecret } from "../one-time-secret/index.ts";
import { toCreationOptions } from "./creation-options.ts";
import { ceremonySeconds } from "./key-credential.ts";
import { chooseRelyingParty } from "./relying-party.ts";

/** A new user, whose account is created only once the passkey exists. */
export interface Newcomer {
  /** The id that the account will have: the passkey stores it (WebAuthn §5.4.3). */
  readonly userId: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
}

/** A passkey to be created for an account that does not exist yet. */
export interface PasskeyOfNewcomer {
  readonly credentialId: string;
  readonly relyingPartyId: string;
  /** Argument of `navigator.credentials.create()`. */
  readonly options: ReturnType<typeof toCreationOptions>;
}

/**
 * Starts the registration of a passkey for a user without an account yet. Only the challenge is stored, until it
 * expires.
 */
export async function startPasskeyOfNewcomer(
  deps: Pick<FactorDeps, "database" | "newId" | "random">,
  call: Call,
  { user, domain }: { readonly user: Newcomer; readonly domain: string },
): Promise<PasskeyOfNewcomer> {
  const { id: relyingPartyId } = await chooseRelyingParty(deps.database.read, call.instanceId, {
    domain,
    field: "domain",
  });
  const credentialId = deps.newId();
  const challenge = deps.random(32).toString("base64url");
  const subject = { kind: "key_registration", subjectId: credentialId } as const;
  const secret = { secret: new Secret(challenge), bound: {}, lifetimeSeconds: ceremonySeconds };
  await deps.database.touch(call, (tx) => putOneTimeSecret(tx, { ...subject, ...secret }));
  const kind = "passkey";
  const attachment = undefined;
  const options = toCreationOptions({ kind, relyingPartyId, challenge, user, existing: [], attachment });
  return { credentialId, relyingPartyId, options };
}
