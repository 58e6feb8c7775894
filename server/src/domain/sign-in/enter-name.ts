import type { Call } from "../../call/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { type EnteredName, isEntered } from "./read-name.ts";
import { type CurrentSignIn, unnamed } from "./state.ts";
import { type Failure, writeFailure } from "./step-outcome.ts";

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
  const next = await decide(deps, call, name);
  await writeFailure(deps, call, visit, { signIn: next, failure: isRefused(next) ? refusalOf(name) : undefined });
  return next;
}

const isRefused = ({ problem }: CurrentSignIn): boolean => problem?.id === unknownName;
const unknownName = "sign_in.name_unknown";

/** Why a name was refused. Of a name that users do not have, the record itself says so. */
function refusalOf({ user }: EnteredName): Failure {
  if (user === undefined) return { user, steps: [] };
  const setting = user.isNumber ? "disable_login_with_phone" : "disable_login_with_email";
  return { user, steps: [{ check: "name", outcome: "not_allowed", setting }] };
}

const unknown = { ...unnamed, userOrganizationId: undefined };

async function decide(deps: SignInDeps, call: Call, name: EnteredName): Promise<CurrentSignIn> {
  const { loginName } = name;
  if (!isEntered(loginName)) return { ...unknown, problem: { field: "login_name", id: "sign_in.name_missing" } };
  const user = await findNamed(deps, call, name);
  if (user === undefined && !name.hidesUnknown) {
    return { ...unknown, loginName, problem: { field: "login_name", id: unknownName } };
  }
  const { userId, organizationId: userOrganizationId } = user ?? {};
  return { ...unknown, state: "identified", loginName, userId, userOrganizationId, attemptId: deps.newId() };
}

/** Returns the user whom a name means, unless settings forbid to sign in with an address or a number. */
async function findNamed(deps: SignInDeps, call: Call, { user }: EnteredName): Promise<EnteredName["user"]> {
  if (user === undefined || !(user.isOnlyEmail || user.isNumber)) return user;
  const settings = await loginSettingsOf(deps, call, { organizationId: user.organizationId, userId: user.userId });
  const isDisabled = user.isNumber ? settings.disableLoginWithPhone : settings.disableLoginWithEmail;
  return isDisabled ? undefined : user;
}
