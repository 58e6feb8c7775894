import { Fault } from "../../base/fault.ts";
import { farFuture } from "./personal-access-token.ts";

/** Returns the expiry of a credential: the wanted instant, which must be in the future, or the far future. */
export function parseExpiry(expiresAt: number | undefined, now: number): number {
  if (expiresAt === undefined) return farFuture;
  if (expiresAt <= now) throw new Fault("invalid_argument", "user.expiry_past", { field: "expirationDate" });
  return Math.min(expiresAt, farFuture);
}
