import { type Call, preparationsBy } from "../../call/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { findUserScope, type UserScope } from "../user/index.ts";
import { checkKey, type UntrustedCredential } from "../webauthn-key/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { proceed } from "./proceed.ts";
import { runAfterProof } from "./run-after-proof.ts";
import type { Problem, SignIn } from "./state.ts";
import { type StepOutcome, stay } from "./step-outcome.ts";

/** Signs in with a passkey. The passkey identifies its user, so no name is needed before. */
export async function usePasskey(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, credential }: { readonly signIn: SignIn; readonly credential: UntrustedCredential },
): Promise<StepOutcome> {
  const { attemptId } = signIn;
  const check =
    attemptId === undefined
      ? undefined
      : await checkKey(deps, call, { user: undefined, sessionId: attemptId, credential });
  if (check?.outcome !== "correct") {
    const unknownPasskey = check?.outcome === "refused" ? check.unknownId : undefined;
    const problem = { id: "sign_in.passkey_refused", ...(unknownPasskey !== undefined && { unknownPasskey }) };
    return stay(deps, call, visit, { signIn, problem });
  }
  const user = await findUserScope(deps.database.read, call.instanceId, check.user.userId);
  const problem = await findObstacle(deps, call, visit, { signIn, user });
  if (user === undefined || problem !== undefined) {
    return stay(deps, call, visit, { signIn, problem: problem ?? { id: "sign_in.passkey_refused" } });
  }
  const { userId, organizationId, preferredLoginName: loginName } = user;
  const preparedBy = preparationsBy(check.author);
  const { isUserVerified, isOneFactor, signInEpoch = user.signInEpoch } = check;
  const refusal = await runAfterProof(deps, call, visit, { userId, organizationId, loginName, method: "passwordless" });
  if (refusal !== undefined) return stay(deps, call, visit, { signIn, problem: refusal });
  const factors = { webAuthNCheckedAt: call.now, isUserVerified, isOneFactor, preparedBy };
  return proceed(deps, call, visit, { userId, organizationId, loginName, factors, signInEpoch, attemptId });
}

/** Returns why the user of a valid passkey may not continue; shown only to that user. */
async function findObstacle(
  deps: SignInDeps,
  call: Call,
  { authRequest }: BrowserVisit,
  { signIn, user }: { readonly signIn: SignIn; readonly user: UserScope | undefined },
): Promise<Problem | undefined> {
  if (user?.state !== "active" || user.organizationState !== "active") return { id: "sign_in.not_possible" };
  const settings = await loginSettingsOf(deps, call, { organizationId: user.organizationId, userId: user.userId });
  if (!settings.allowPasskeys || !settings.allowLocalAuthentication) return { id: "sign_in.passkeys_not_allowed" };
  // A user who typed a name means that account. An unknown name is as much another account as a known one.
  if (signIn.state === "identified" && signIn.userId !== user.userId) return { id: "sign_in.passkey_of_other" };
  const { organizationId = user.organizationId, hintUserId = user.userId } = authRequest?.parameters ?? {};
  if (organizationId !== user.organizationId || hintUserId !== user.userId) {
    return { id: "sign_in.other_account_expected" };
  }
  return undefined;
}
