import type { Budgets } from "../../base/budget/budgets.ts";
import { Fault } from "../../base/fault.ts";
import { type PasswordHasher, supportOf } from "../../base/password/password-hash.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { QueueDeps } from "../notification/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import type { AuthorizeDeps } from "../user/index.ts";
import { checkNewPassword, contextWordsOf } from "./password-policy.ts";
import { payForHash } from "./pay-for-hash.ts";
import { raiseImportedCost } from "./raise-imported-cost.ts";

export interface PasswordDeps extends QueueDeps, AuthorizeDeps {
  readonly database: Database;
  readonly passwordHasher: PasswordHasher;
  readonly settings: SettingsReader;
  readonly budgets: Budgets;
}

/** A password in plain text, or as another system stored it. */
export type NewPassword =
  | { readonly password: string; readonly isChangeRequired: boolean }
  | { readonly hash: string; readonly isChangeRequired: boolean };

/** A password as it is stored. */
export interface PreparedPassword {
  readonly hash: string;
  readonly isChangeRequired: boolean;
}

const refused = {
  unsupported: "user.password_hash_unsupported",
  too_costly: "user.password_hash_too_costly",
} as const;

export interface PasswordOwner {
  /** Absent while the user is being made. */
  readonly userId?: string | undefined;
  readonly organizationId: string;
  readonly username: string;
  readonly email: { readonly address: string };
  readonly profile: { readonly givenName: string; readonly familyName: string };
}

/**
 * Checks a new password against the settings and hashes it; outside of any unit of work, because hashing takes long. A
 * hash cannot be checked against rules, so only callers who may write users import one.
 */
export async function preparePassword(
  deps: Pick<PasswordDeps, "database" | "passwordHasher" | "settings">,
  call: Call,
  owner: PasswordOwner,
  password: NewPassword,
): Promise<PreparedPassword> {
  const { isChangeRequired } = password;
  const { organizationId } = owner;
  if ("hash" in password) {
    requirePermission(call, "user.write", { organizationId });
    const support = supportOf(password.hash);
    if (support !== "supported")
      throw new Fault("invalid_argument", refused[support], { field: "hashedPassword.hash" });
    await raiseImportedCost(deps, call, password.hash);
    return { hash: password.hash, isChangeRequired };
  }
  await checkPasswordFor(deps, call, owner, password.password);
  // Who makes organizations or users of several must not have the shares of all of them.
  const paying = call.caller?.organizationId ?? organizationId;
  const hash = await payForHash(call, paying, () => deps.passwordHasher.hash(password.password));
  return { hash, isChangeRequired };
}

/**
 * The same for passwords of users of one organization, all of which another system hashed in a form that is supported
 * here (`isHashSupported`): nothing of them remains to be prepared.
 */
export async function prepareHashedPasswords(
  deps: Pick<PasswordDeps, "database" | "passwordHasher">,
  call: Call,
  organizationId: string,
  hashes: readonly string[],
): Promise<void> {
  requirePermission(call, "user.write", { organizationId });
  const costs = hashes.map((hash) => deps.passwordHasher.costOfImported(hash));
  const costliest = hashes[costs.indexOf(Math.max(...costs))];
  if (costliest !== undefined) await raiseImportedCost(deps, call, costliest);
}

/** Whether a hash of another system is one that `preparePassword` takes. */
export const isHashSupported = (hash: string): boolean => supportOf(hash) === "supported";

/** Refuses a new password that the settings do not allow for its owner. */
export async function checkPasswordFor(
  deps: Pick<PasswordDeps, "settings">,
  { instanceId }: Call,
  { organizationId, userId, username, email, profile }: PasswordOwner,
  password: string,
): Promise<void> {
  const { settings } = await deps.settings.get("password_complexity", { instanceId, organizationId, userId });
  checkNewPassword(password, settings, contextWordsOf({ username, email: email.address, ...profile }));
}
