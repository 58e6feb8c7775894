import type { Call } from "../../call/index.ts";
import { listReadyFactors } from "../factor/index.ts";
import type { ContextLevel, SignedInDeps } from "../session/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { listRelyingPartiesOf } from "../webauthn-key/index.ts";

/** A user, and the host of the instance that they visit. */
export interface UserAtHost {
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly host: string;
}

/**
 * Returns the highest level that the user can prove here with the factors they have, by the login settings that hold
 * for them. Keys and passkeys work on one host. Recovery codes only stand in for another factor.
 */
export async function contextReachOf(
  deps: SignedInDeps,
  call: Call,
  { userId, organizationId, host }: UserAtHost,
): Promise<ContextLevel> {
  const settings = await loginSettingsOf(deps, call, { userId, organizationId });
  const { allowPasskeys, allowLocalAuthentication, secondFactors } = settings;
  const { read } = deps.database;
  const ready = await listReadyFactors(read, call.instanceId, userId);
  const hasKey =
    (ready.includes("passkey") && allowPasskeys && allowLocalAuthentication) ||
    ((ready.includes("passkey") || ready.includes("u2f")) && secondFactors.includes("u2f"));
  // A key that a message opened is one factor where the user has a second one, and reaches as far together with it.
  const isAnyOrigin = true;
  const domains = hasKey ? await listRelyingPartiesOf(read, call.instanceId, { userId, isAnyOrigin }) : [];
  if (domains.includes(host)) return 3;
  const codes = ["totp", "otp_sms", "otp_email"] as const;
  return codes.some((kind) => ready.includes(kind) && secondFactors.includes(kind)) ? 2 : 1;
}
