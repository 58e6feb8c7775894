import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type FactorKind, isFactorByItself, listReadyFactors } from "../factor/index.ts";
import { loginSettingsOf, type SettingsReader } from "../settings/index.ts";
import { allowedSecondFactors, type SecondFactorKind, takesAnyKey } from "../sign-in-method/index.ts";
import { listRelyingPartiesOf } from "../webauthn-key/index.ts";

export { type SecondFactorKind, secondFactorKinds } from "../sign-in-method/index.ts";

/** The second factors of a user, as the login asks for them after the first factor. */
export interface SecondFactors {
  /**
   * Those that the user has, that the settings allow, and that work on this host; strongest first. None for a user with
   * nothing but recovery codes: they stand in for another factor.
   */
  readonly usable: readonly SecondFactorKind[];
  /** What the settings allow. */
  readonly allowed: readonly SecondFactorKind[];
  /** Whether the user has any besides recovery codes, whatever the settings allow. */
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
  const allowed = allowedSecondFactors(await loginSettingsOf(deps, call, { organizationId, userId }));
  const ready = await listReadyFactors(read, instanceId, userId);
  const hasAny = ready.some(isFactorByItself);
  const isAnyOrigin = takesAnyKey(ready);
  const domains = ready.some(isKey) ? await listRelyingPartiesOf(read, instanceId, { userId, isAnyOrigin }) : [];
  const has = (kind: SecondFactorKind): boolean => (kind === "key" ? domains.includes(host) : ready.includes(kind));
  return {
    usable: hasAny ? allowed.filter(has) : [],
    allowed,
    hasAny,
  };
}

const isKey = (kind: FactorKind): boolean => kind === "passkey" || kind === "u2f";
