import type { FactorKind } from "../factor/index.ts";
import { isPasskeyEnough, type LoginSettings, needsProvider, type SecondFactor } from "../settings/index.ts";

/**
 * Returns whether login settings leave a user a second step: with a factor that they have, or, as they have none, with
 * one that they can set up as they sign in. A code in a message counts only for those who have nothing else: whether it
 * arrives depends on a provider and on their address or number.
 */
export function hasSecondStep(settings: LoginSettings, ready: readonly FactorKind[]): boolean {
  const { secondFactors } = settings;
  const isLocal = !needsProvider(settings);
  const isDemanded = settings.forceMfa || (settings.forceMfaLocalOnly && isLocal);
  if (!isDemanded && !isLocal) return true;
  const allows = (kind: SecondFactor): boolean => secondFactors.includes(kind);
  const canSetUp = allows("totp") || allows("u2f");
  if (ready.length === 0) return !isDemanded || canSetUp;
  if (ready.includes("passkey")) {
    if (isPasskeyEnough(settings) || allows("u2f")) return true;
    // Beside a passkey alone, a password is enough.
    if (!isDemanded && ready.length === 1) return true;
  }
  const own = ready.filter((kind) => kind === "totp" || kind === "u2f");
  return own.length > 0
    ? own.some(allows)
    : ready.some((kind) => kind !== "passkey" && kind !== "recovery_codes" && allows(kind));
}
