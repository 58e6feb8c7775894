import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { type BeginDeps, beginAccount, checkCode, codeInvalid } from "../contact/index.ts";
import type { FactorDeps } from "../factor/index.ts";
import { loginSettingsOf, type SettingsReader } from "../settings/index.ts";
import { leaveInitialState } from "../user/index.ts";
import { insertPasskey } from "./insert-passkey.ts";
import { type NewCredentialDeps, readNewCredential } from "./read-new-credential.ts";
import { type PasskeyOfNewcomer, startPasskeyOfNewcomer } from "./start-passkey-of-newcomer.ts";
import { keyRefused } from "./verify-key-registration.ts";
import type { UntrustedCredential } from "./verify-signature.ts";

interface Invitation {
  readonly userId: string;
  readonly code: string;
}

const weighing = { mayPrepareFor, mayVouchFor };

type InvitationDeps = Pick<FactorDeps, "database" | "newId" | "random"> & { readonly settings: SettingsReader };

/**
 * Returns the registration options for the browser of an invited user. The code stays valid until the passkey is
 * registered.
 */
export async function startInvitationPasskey(
  deps: InvitationDeps,
  call: Call,
  { userId, code, host }: Invitation & { readonly host: string },
): Promise<PasskeyOfNewcomer> {
  const user = await checkCode({ ...deps, ...weighing }, call, { userId, kind: "invitation", code });
  await demandPasskeys(deps, call, user.organizationId);
  return startPasskeyOfNewcomer(deps, call, { user, domain: host });
}

export interface AcceptWithPasskey extends Invitation {
  readonly started: Pick<PasskeyOfNewcomer, "credentialId" | "relyingPartyId">;
  /** The result of `navigator.credentials.create()`. */
  readonly credential: UntrustedCredential;
  readonly name: string;
}

/**
 * Accepts an invitation with a passkey, in one unit of work, so that a consumed code always leaves the user a means of
 * signing in.
 */
export async function acceptInvitationWithPasskey(
  deps: InvitationDeps & NewCredentialDeps & Pick<BeginDeps, "removePrepared">,
  call: Call,
  { userId, code, started, credential, name }: AcceptWithPasskey,
): Promise<void> {
  const { organizationId } = await checkCode({ ...deps, ...weighing }, call, { userId, kind: "invitation", code });
  await demandPasskeys(deps, call, organizationId);
  const read = await readNewCredential(deps, call, { credential, kind: "passkey" }, started);
  if (read === undefined) throw keyRefused();
  const { made } = read;
  const accepted = await deps.database.change(call, async (tx) => {
    const by = { ...weighing, removePrepared: deps.removePrepared };
    const begun = await beginAccount(tx, by, { userId, kind: "invitation", code });
    if (begun === undefined) return false;
    const { user, author, isFromMessage } = begun;
    await insertPasskey(tx, user, { ...started, name, made, author, isFromMessage });
    await leaveInitialState(tx, user);
    return true;
  });
  if (!accepted) throw codeInvalid();
}

async function demandPasskeys(deps: InvitationDeps, call: Call, organizationId: string) {
  const login = await loginSettingsOf(deps, call, { organizationId });
  if (login.allowPasskeys && login.allowLocalAuthentication) return;
  throw new Fault("failed_precondition", "sign_in.passkeys_not_allowed");
}
