import { hours, type Instant } from "../../base/clock.ts";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { SignIn } from "../sign-in/index.ts";
import type { InsertPasskey } from "../webauthn-key/index.ts";
import type { SelfMade, SignUpMessage } from "./make-account.ts";

/** An account that is created when its address is proven. Nothing of it is stored elsewhere until then. */
export interface PendingSignUp extends SelfMade, SignUpMessage {
  /** The id that the account will have. */
  readonly userId: string;
  /** The language of the sign-up. */
  readonly language: string;
  /** What the user will sign in with. */
  readonly proof:
    | { readonly by: "password"; readonly passwordHash: string }
    | { readonly by: "passkey"; readonly passkey: InsertPasskey }
    /**
     * A sign-in at an identity provider, which is used up with the code; and whether the user agreed on a page that
     * named the organization.
     */
    | { readonly by: "provider"; readonly intentId: string; readonly isAgreed?: boolean };
  readonly begunAt: Instant;
}

/** How long an account waits at most, however long its attempt is valid. */
const longestWait = hours(1);

/** Seals an account that waits, for its attempt alone. */
export const sealSignUp = (
  { vault }: { readonly vault: Pick<Vault, "encrypt"> },
  { instanceId }: Pick<Call, "instanceId">,
  attemptId: string,
  pending: PendingSignUp,
): string => vault.encrypt(JSON.stringify(pending), contextOf(instanceId, attemptId));

/** Opens the account that waits in an attempt; undefined where none does, or when it has waited for too long. */
export function openSignUp(
  { vault }: { readonly vault: Pick<Vault, "decrypt"> },
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  { state, attemptId, sealedSignUp }: SignIn,
): PendingSignUp | undefined {
  if (state !== "sign_up" || attemptId === undefined || sealedSignUp === undefined) return undefined;
  try {
    const pending = JSON.parse(vault.decrypt(sealedSignUp, contextOf(instanceId, attemptId)).reveal()) as PendingSignUp;
    return now - pending.begunAt <= longestWait ? pending : undefined;
  } catch (error) {
    // Sealed under a master key that is gone: the sign-up begins again.
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

const contextOf = (instanceId: string, attemptId: string): string => `sign_ins/${instanceId}/${attemptId}/sign_up`;
