import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { type CheckPasswordDeps, checkPassword, findUserByLoginName, findUserScope } from "../user/index.ts";
import { requireWriterFor } from "./authorize-session.ts";
import type { SessionUser } from "./session.ts";

/** What is to be checked. All that is given must pass. */
export interface FactorChecks {
  readonly user?: { readonly userId: string } | { readonly loginName: string };
  readonly password?: string;
}

/** What was checked, at the moment of the call; the user is the one of the session from now on. */
export interface CheckedFactors {
  readonly user: SessionUser | undefined;
  readonly isUserChecked: boolean;
  readonly isPasswordChecked: boolean;
}

/**
 * Checks factors, the user first, then the others in their order; the first that fails is the refusal. Outside of any unit of work: a password
 * takes long, and what failed is counted even though nothing else happens. `of` is the user that the session has already. Refuses callers
 * who may not write sessions of the user before anything is proven for them.
 */
export async function checkFactors(
  deps: CheckPasswordDeps,
  call: Call,
  checks: FactorChecks,
  of?: SessionUser,
): Promise<CheckedFactors> {
  const named = checks.user && (await findActiveUser(deps, call, checks.user));
  if (named !== undefined && of !== undefined && named.userId !== of.userId) throw userChange();
  const user = named ?? of;
  requireWriterFor(call, user);
  if (checks.password === undefined) return { user, isUserChecked: named !== undefined, isPasswordChecked: false };
  if (user === undefined) throw new Fault("failed_precondition", "session.user_missing", { field: "checks.user" });
  await provePassword(deps, call, user, checks.password);
  return { user, isUserChecked: named !== undefined, isPasswordChecked: true };
}

/** The user of a session never changes: what was checked was checked of this one. */
export const userChange = (): Fault => new Fault("invalid_argument", "session.user_change", { field: "checks.user" });

async function findActiveUser(
  deps: CheckPasswordDeps,
  call: Call,
  search: NonNullable<FactorChecks["user"]>,
): Promise<SessionUser> {
  const { read } = deps.database;
  const found =
    "userId" in search
      ? await findUserScope(read, call.instanceId, search.userId)
      : await findUserByLoginName(read, call.instanceId, search.loginName);
  if (found === undefined) throw userNotFound();
  if (found.state !== "active" || found.organizationState !== "active") throw notActive();
  return { userId: found.userId, organizationId: found.organizationId };
}

async function provePassword(
  deps: CheckPasswordDeps,
  call: Call,
  { userId }: SessionUser,
  password: string,
): Promise<void> {
  const check = await checkPassword(deps, call, { userId, password });
  const field = "checks.password.password";
  switch (check.outcome) {
    case "correct":
      return;
    case "wrong": {
      const { failedAttempts } = check;
      throw new Fault("invalid_argument", "user.password_wrong", { field, values: { failedAttempts } });
    }
    case "blocked":
      throw new Fault("failed_precondition", "user.password_blocked", { field });
    case "impossible":
      if (check.reason === "unknown") throw userNotFound();
      if (check.reason === "not_active") throw notActive();
      throw new Fault("failed_precondition", "user.password_absent", { field });
    default:
      return check satisfies never;
  }
}

const userNotFound = (): Fault => new Fault("not_found", "user.not_found", { field: "checks.user" });
const notActive = (): Fault => new Fault("failed_precondition", "user.not_active", { field: "checks.user" });
