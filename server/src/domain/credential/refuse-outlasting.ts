import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { User } from "../user/index.ts";
import { farFuture } from "./personal-access-token.ts";

/**
 * Refuses a credential that a service account makes for itself and that outlasts the one which it presents: otherwise
 * whichever attacker finds a token or key could renew it forever. Callers that may write the account decide freely, and
 * so does an account that presents a token obtained with its secret, which never ends.
 */
export function refuseOutlasting(
  call: Call,
  { userId, organizationId }: Pick<User, "userId" | "organizationId">,
  { expiresAt = farFuture, field }: { readonly expiresAt?: number; readonly field?: string },
): void {
  const { credentialExpiresAt, access, ...caller } = requireCaller(call);
  if (caller.userId !== userId || credentialExpiresAt === undefined || expiresAt <= credentialExpiresAt) return;
  if (withoutLoginClient(access).allows("user.write", { organizationId })) return;
  // A secret never expires; for tokens and keys an earlier expiry would be accepted.
  if (field === undefined) throw new Fault("permission_denied", "user.credential_outlasts_own");
  throw new Fault("invalid_argument", "user.credential_outlasts_own", { field });
}
