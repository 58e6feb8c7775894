import { canonicalName } from "../../base/canonical.ts";
import type { Call } from "../../call/index.ts";
import type { LoginSettings } from "../settings/index.ts";
import { findUser, findUserByLoginName } from "../user/index.ts";
import { type BrowserVisit, organizationOf, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { type SignIn, unnamed } from "./state.ts";

/** Names whoever wants to sign in. A name that nobody has goes on like any other, unless the settings want it said. */
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
  if (userId === undefined && !(await ignoresUnknownNames(deps, call, visit))) {
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
  if (found === undefined) return undefined;
  const settings = await settingsOf(deps, call, found.organizationId);
  if (settings.disableLoginWithEmail && (await isOnlyEmail(deps, call, found.userId, loginName))) return undefined;
  return found.userId;
}

async function isOnlyEmail(deps: SignInDeps, call: Call, userId: string, loginName: string): Promise<boolean> {
  const user = await findUser(deps.database.read, call.instanceId, userId);
  if (user?.kind !== "human") return false;
  const typed = canonicalName(loginName);
  const names = [user.username, user.preferredLoginName].map(canonicalName);
  return typed === canonicalName(user.email.address) && !names.includes(typed);
}

async function ignoresUnknownNames(deps: SignInDeps, call: Call, visit: BrowserVisit): Promise<boolean> {
  const settings = await settingsOf(deps, call, organizationOf(visit));
  return settings.ignoreUnknownUsernames;
}

/** The login settings of an organization, or of the instance when it is not known whose. */
export async function settingsOf(
  deps: Pick<SignInDeps, "settings">,
  { instanceId }: Call,
  organizationId: string | undefined,
): Promise<LoginSettings> {
  return (await deps.settings.get("login", { instanceId, organizationId })).settings;
}
