import { canonicalName } from "../../base/canonical.ts";
import type { Call } from "../../call/index.ts";
import { findUserByLoginName, findUserByPhone } from "../login-name/index.ts";
import { findUser } from "../user/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { hidesUnknownNames } from "./find-place-of-name.ts";
import { settingsOf } from "./settings-of.ts";
import { type SignIn, unnamed } from "./state.ts";

/**
 * Stores the name that a user entered. An unknown name goes on like any other, unless the settings want it reported.
 */
export async function enterName(deps: SignInDeps, call: Call, visit: BrowserVisit, loginName: string): Promise<SignIn> {
  const next = await decide(deps, call, visit, loginName);
  await writeSignIn(deps, call, visit, next);
  return next;
}

const longestName = 420;

async function decide(deps: SignInDeps, call: Call, visit: BrowserVisit, loginName: string): Promise<SignIn> {
  if (loginName === "" || loginName.length > longestName) {
    return { ...unnamed, problem: { field: "login_name", id: "sign_in.name_missing" } };
  }
  const userId = await findNamed(deps, call, visit, loginName);
  if (userId === undefined && !(await hidesUnknownNames(deps, call, visit, loginName))) {
    return { ...unnamed, loginName, problem: { field: "login_name", id: "sign_in.name_unknown" } };
  }
  return { ...unnamed, state: "identified", loginName, userId, wayId: deps.newId() };
}

async function findNamed(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  loginName: string,
): Promise<string | undefined> {
  const { read } = deps.database;
  const organizationId = visit.authRequest?.parameters.organizationId;
  const found = await findUserByLoginName(read, call.instanceId, loginName, { organizationId });
  if (found === undefined) return findByPhone(deps, call, loginName, organizationId);
  const settings = await settingsOf(deps, call, found.organizationId, found.userId);
  if (settings.disableLoginWithEmail && (await isOnlyEmail(deps, call, found.userId, loginName))) return undefined;
  return found.userId;
}

async function findByPhone(
  deps: SignInDeps,
  call: Call,
  typed: string,
  organizationId: string | undefined,
): Promise<string | undefined> {
  const found = await findUserByPhone(deps.database.read, call.instanceId, typed, { organizationId });
  const settings = found && (await settingsOf(deps, call, found.organizationId, found.userId));
  return settings?.disableLoginWithPhone === false ? found?.userId : undefined;
}

async function isOnlyEmail(deps: SignInDeps, call: Call, userId: string, loginName: string): Promise<boolean> {
  const user = await findUser(deps.database.read, call.instanceId, userId);
  if (user?.kind !== "human") return false;
  const typed = canonicalName(loginName);
  const names = [user.username, user.preferredLoginName].map(canonicalName);
  return typed === canonicalName(user.email.address) && !names.includes(typed);
}
