import { Fault } from "../../base/fault.ts";
import { shownLoginName } from "../../base/names/shown-login-name.ts";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { findOrganization } from "../organization/index.ts";
import { holdAuthorizedUser, recordUserEvent, requireHuman, writeOwnCredential } from "../user/index.ts";
import { upsertPendingTotp } from "./factor.store.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { generateTotpSecret, totpUri } from "./totp-secret.ts";

export interface RegisteredTotp {
  readonly details: Details;
  /** Base32; shown only now. */
  readonly secret: Secret;
  /** The same as a URI for a QR code, with the organization of the user as issuer, as the app shows it. */
  readonly uri: Secret;
}

/**
 * Starts the registration of an authenticator app. It is unusable until one of its codes was verified
 * (`verifyTotpRegistration`); an incomplete registration is replaced. Throws `factor.exists` when there is a confirmed
 * app.
 */
export function registerTotp(
  deps: FactorDeps,
  call: Call,
  { userId }: { readonly userId: string },
): Promise<RegisteredTotp> {
  return deps.database.change(call, async (tx) => {
    const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
    const { secret, sealed } = generateTotpSecret(deps, { instanceId: tx.instanceId, userId });
    if (!(await upsertPendingTotp(tx, userId, sealed))) {
      throw new Fault("already_exists", "factor.exists", { field: "userId" });
    }
    const sequence = await recordUserEvent(tx, user, { type: "user.totp.added" });
    const organization = await findOrganization(tx, tx.instanceId, user.organizationId);
    const issuer = organization?.name ?? "";
    const uri = totpUri(secret, { issuer, loginName: shownLoginName(user.preferredLoginName) });
    return { details: { ...user.details, sequence, changedAt: tx.now }, secret, uri };
  });
}
