import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type FactorKind, isFactorByItself, isSecondFactor, listReadyFactors } from "../factor/index.ts";
import { loginSettingsOf, type SecondFactor, type SettingsReader } from "../settings/index.ts";
import { listRelyingPartiesOf } from "../webauthn-key/index.ts";

/** Second factors as the login asks for them, strongest first. `key`: a security key, or a passkey. */
export const secondFactorKinds = ["key", "totp", "otp_sms", "otp_email", "recovery_codes"] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** The settings' name for each. */
const allowedBy = {
  key: "u2f",
  totp: "totp",
  otp_sms: "otp_sms",
  otp_email: "otp_email",
  recovery_codes: "recovery_codes",
} as const satisfies Record<SecondFactorKind, SecondFactor>;

/** The second factors of a user, as the login asks for them after the first factor. */
export interface SecondFactors {
  /** Those that the user has, that the settings allow, and that work on this host; strongest first. */
  readonly usable: readonly SecondFactorKind[];
  /** What the settings allow. */
  readonly allowed: readonly SecondFactorKind[];
  /** Whether the user has any at all, whatever the settings allow. */
  readonly hasAny: boolean;
}

export interface SecondFactorDeps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/** Lists the second factors of a user, at a host of the instance. */
export async function listSecondFactorsAt(
  deps: SecondFactorDeps,
  call: Call,
  { userId, organizationId, host }: { readonly userId: string; readonly organizationId: string; readonly host: string },
): Promise<SecondFactors> {
  const { instanceId } = call;
  const { read } = deps.database;
  const { secondFactors } = await loginSettingsOf(deps, call, { organizationId, userId });
  const allowed = secondFactorKinds.filter((kind) => secondFactors.includes(allowedBy[kind]));
  const ready = await listReadyFactors(read, instanceId, userId);
  // Beside a second factor, a key that a message opened adds nothing to a first one.
  const isAnyOrigin = !ready.some(isSecondFactor);
  const domains = ready.some(isKey) ? await listRelyingPartiesOf(read, instanceId, { userId, isAnyOrigin }) : [];
  const has = (kind: SecondFactorKind): boolean => (kind === "key" ? domains.includes(host) : ready.includes(kind));
  return {
    usable: allowed.filter(has),
    allowed,
    hasAny: ready.some(isFactorByItself),
  };
}

const isKey = (kind: FactorKind): boolean => kind === "passkey" || kind === "u2f";
