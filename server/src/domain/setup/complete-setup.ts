import { Fault } from "../../base/fault.ts";
import type { PasswordHasher } from "../../base/password/password-hash.ts";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import { preparePassword } from "../password/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import type { NewProfile } from "../user/index.ts";
import { createOwner, type FirstUserDeps } from "./first-users.ts";
import { isSetupOpen } from "./is-setup-open.ts";

export interface SetupDeps extends FirstUserDeps {
  readonly database: Database;
  readonly passwordHasher: PasswordHasher;
  readonly settings: SettingsReader;
}

export interface FirstAdministrator {
  readonly username: string;
  readonly profile: NewProfile;
  readonly email: string;
  readonly password: string;
}

/**
 * Creates the first administrator with the secret of the setup link. Both happen in one unit of work: the link is used
 * up exactly when an administrator exists. The address counts as verified, because mail cannot be sent to it yet.
 */
export async function completeSetup(
  deps: SetupDeps,
  call: Call,
  input: FirstAdministrator & { readonly secret: Secret },
): Promise<{ readonly userId: string; readonly organizationId: string }> {
  const instance = await findInstance(deps.database.read, call.instanceId);
  if (instance === undefined || !(await isSetupOpen(deps, call))) throw setupClosed();
  const { username, profile } = input;
  const person = {
    organizationId: instance.defaultOrganizationId,
    username,
    profile,
    email: { address: input.email, isVerified: true },
  };
  const password = await preparePassword(deps, call, person, { password: input.password, isChangeRequired: false });
  // A wrong guess is counted although nothing else happens, so the unit of work may end without an event.
  const made = await deps.database.touch(call, async (tx) => {
    const guess = { kind: "setup_link", subjectId: tx.instanceId, secret: input.secret } as const;
    const { outcome } = await redeemOneTimeSecret(tx, guess);
    if (outcome !== "redeemed") return undefined;
    return createOwner(tx, deps, { ...person, password });
  });
  if (made === undefined) throw setupClosed();
  return { userId: made.userId, organizationId: person.organizationId };
}

// Unknown, expired, used or guessed wrong: the caller cannot tell these apart.
const setupClosed = (): Fault => new Fault("not_found", "setup.closed");
