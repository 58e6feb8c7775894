import type { Call } from "../../call/index.ts";
import { findUserByPhone, type NamedUser } from "../login-name/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { type EnteredName, isEntered } from "./read-name.ts";
import { type CurrentSignIn, unnamed } from "./state.ts";

/**
 * Stores the name that a user entered. An unknown name continues like any other, unless the settings allow it to be
 * reported.
 */
export async function enterName(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  name: EnteredName,
): Promise<CurrentSignIn> {
  const next = await decide(deps, call, visit, name);
  await writeSignIn(deps, call, visit, next);
  return next;
}

const unknown = { ...unnamed, userOrganizationId: undefined };

async function decide(deps: SignInDeps, call: Call, visit: BrowserVisit, name: EnteredName): Promise<CurrentSignIn> {
  const { loginName } = name;
  if (!isEntered(loginName)) return { ...unknown, problem: { field: "login_name", id: "sign_in.name_missing" } };
  const user = await findNamed(deps, call, visit, name);
  if (user === undefined && !name.hidesUnknown) {
    return { ...unknown, loginName, problem: { field: "login_name", id: "sign_in.name_unknown" } };
  }
  const { userId, organizationId: userOrganizationId } = user ?? {};
  return { ...unknown, state: "identified", loginName, userId, userOrganizationId, attemptId: deps.newId() };
}

type Named = Pick<NamedUser, "userId" | "organizationId">;

async function findNamed(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { loginName, user }: EnteredName,
): Promise<Named | undefined> {
  if (user === undefined) return findByPhone(deps, call, visit, loginName);
  if (!user.isOnlyEmail) return user;
  const settings = await loginSettingsOf(deps, call, { organizationId: user.organizationId, userId: user.userId });
  return settings.disableLoginWithEmail ? undefined : user;
}

async function findByPhone(
  deps: SignInDeps,
  call: Call,
  { authRequest }: BrowserVisit,
  typed: string,
): Promise<Named | undefined> {
  const organizationId = authRequest?.parameters.organizationId;
  const found = await findUserByPhone(deps.database.read, call.instanceId, typed, { organizationId });
  const settings =
    found && (await loginSettingsOf(deps, call, { organizationId: found.organizationId, userId: found.userId }));
  return settings?.disableLoginWithPhone === false ? found : undefined;
}
