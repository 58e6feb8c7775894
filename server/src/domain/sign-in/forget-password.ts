import { Fault } from "../../base/fault.ts";
import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { checkCode, isCodeOfAttempt, putNoCodeOfAttempt } from "../contact/index.ts";
import { listMeantAnywhere } from "../login-name/index.ts";
import { resetPause, sendPasswordReset } from "../password/index.ts";
import { loginSettingsOf, offersReset } from "../settings/index.ts";
import { findUser, type HumanUser } from "../user/index.ts";
import {
  type BrowserVisit,
  isOrganizationUnproven,
  organizationOf,
  type SignInDeps,
  writeSignIn,
} from "./browser-visit.ts";
import { isHinted } from "./hinted-name.ts";
import { readDiscovery } from "./read-name.ts";
import type { CurrentSignIn } from "./state.ts";

/**
 * Returns whether a login offers a password reset. Where unknown names cannot be told from others, the name alone
 * decides: the organization of the request, or that of the name's domain.
 */
export async function isResetOffered(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: CurrentSignIn,
): Promise<boolean> {
  const { discoveredOrganizationId, hidesUnknown } = await readDiscovery(deps, call, visit, signIn.loginName);
  const settings = await loginSettingsOf(deps, call, {
    organizationId: organizationOf(visit) ?? discoveredOrganizationId,
  });
  return signIn.userId === undefined || hidesUnknown ? offersReset(settings) : isResetAllowed(deps, call, signIn);
}

async function isResetAllowed(
  deps: SignInDeps,
  call: Call,
  { userId, userOrganizationId }: CurrentSignIn,
): Promise<boolean> {
  return offersReset(await loginSettingsOf(deps, call, { organizationId: userOrganizationId, userId }));
}

/**
 * Sends the named user a code for a new password, where the settings of the login and of the user's organization allow
 * it. Reveals nothing to the browser, and reads and writes as much for an unknown name. Beside the scope of a link, or
 * by a name that a link filled in, no user is sent one whose name, number or mailbox means another user elsewhere: its
 * reader would take it for theirs.
 */
export async function forgetPassword(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: CurrentSignIn,
): Promise<void> {
  await writeSignIn(deps, call, visit, { ...signIn, problem: undefined });
  const { userId, attemptId } = signIn;
  if (attemptId === undefined) return;
  const isOffered = await isResetOffered(deps, call, visit, signIn);
  const isOfAnother = await isAddressOfAnother(deps, call, visit, signIn);
  if (userId !== undefined && isOffered && !isOfAnother && (await isResetAllowed(deps, call, signIn))) {
    await sendPasswordReset({ ...deps, mayPrepareFor, mayVouchFor }, call, { userId, attemptId });
  } else {
    await writeSignIn(deps, call, visit, { ...signIn, problem: undefined });
  }
  await deps.database.touch(call, (tx) => putNoCodeOfAttempt(tx, { attemptId, pause: resetPause }));
}

/**
 * Returns the named user when the code is that of the message which this very attempt caused, and undefined for any
 * other code or name: then nothing may depend on the user. Uses nothing up. A name alone leads to this page, so a
 * wrong code counts in the attempt alone, and costs the same whether or not the name has a user.
 */
export async function checkResetCode(
  deps: SignInDeps,
  call: Call,
  { signIn, code }: { readonly signIn: CurrentSignIn; readonly code: string },
): Promise<HumanUser | undefined> {
  const { userId, attemptId } = signIn;
  if (attemptId === undefined || code === "") return undefined;
  const isRight = await isCodeOfAttempt(deps, call, { attemptId, userId, code: new Secret(code) });
  if (!isRight || userId === undefined) return undefined;
  try {
    return await checkCode({ ...deps, mayPrepareFor }, call, { userId, kind: "password_reset", code });
  } catch (error) {
    if (error instanceof Fault && error.id === "user.code_invalid") return undefined;
    throw error;
  }
}

/**
 * Whether a link makes a name mean the user, by its scope or because it filled the name in, and the name, the number or
 * the mailbox of the user means another user of another organization who may sign in. The organization could have made
 * its user for that, and the other user would read the message.
 */
async function isAddressOfAnother(
  { database }: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: CurrentSignIn,
): Promise<boolean> {
  const { loginName: name } = signIn;
  if (!isHinted(visit, name) && !(await isOrganizationUnproven(visit, signIn))) return false;
  const user = await findUser(database.read, call.instanceId, signIn.userId ?? "");
  const address = user?.kind === "human" ? user.email.address : name;
  const meant = await listMeantAnywhere(database.read, call.instanceId, { name, address });
  const isOfOther = meant.some(
    ({ state, organizationState, organizationId }) =>
      state === "active" && organizationState === "active" && organizationId !== user?.organizationId,
  );
  if (user === undefined || !isOfOther) return false;
  return (await visit.admitsNewcomers?.(user.organizationId, signIn)) !== true;
}
