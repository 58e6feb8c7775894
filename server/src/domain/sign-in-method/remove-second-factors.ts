import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type CodeFactor, removeFactor } from "../factor/index.ts";
import type { AuthorizeDeps } from "../user/index.ts";
import { listCredentialsOfUser, removeKey } from "../webauthn-key/index.ts";

// Recovery codes go with the last factor that they stand in for; here they are named for a user who has nothing else.
const kinds: readonly CodeFactor[] = ["totp", "otp_email", "otp_sms", "recovery_codes"];

/** Removes every second factor of a user who has lost them. Passkeys and the password stay. */
export async function removeSecondFactors(
  deps: AuthorizeDeps & { readonly database: Database },
  call: Call,
  { userId }: { readonly userId: string },
): Promise<void> {
  for (const kind of kinds) await removeFactor(deps, call, { userId, kind });
  for (const { kind, credentialId } of await listCredentialsOfUser(deps.database.read, call.instanceId, userId)) {
    if (kind === "u2f") await removeKey(deps, call, { userId, credentialId, kind });
  }
}
