import type { Call } from "./api.ts";
import { readAuthRequest } from "./auth-request.ts";
import type { Answer, Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";
import { listAddable, listSecondFactors, readSettings } from "./login-settings.ts";
import { sendCode } from "./send-code.ts";
import type { AuthRequest, Checked, LoginSettings, User } from "./server-words.ts";
import { readSession } from "./sessions.ts";

/** Where the user goes next when the proofs are not enough, by the valid factors, those they have, and the settings. */
export async function nextStep(call: Call, visit: Visit, attempt: Attempt): Promise<Answer> {
  const to = (path: string, problem?: string): Answer => {
    if (problem !== undefined) attempt.problem = problem;
    return { redirect: `${path}?${new URLSearchParams({ attempt: attempt.id }).toString()}` };
  };
  const session = await readSession(call, attempt);
  const { user } = session.factors ?? {};
  if (user === undefined) return to("/password");
  const settings = await readSettings(call, user.organizationId);
  const request = attempt.authRequest === undefined ? undefined : await readAuthRequest(call, attempt.authRequest);
  const counts = countingSince(request, settings);
  const { password, webAuthN, intent } = session.factors ?? {};
  const mayUsePasskey = settings.passkeysType === "PASSKEYS_TYPE_ALLOWED";
  const hasPasskey =
    mayUsePasskey && webAuthN?.userVerified === true && counts(webAuthN, settings.multiFactorCheckLifetime);
  const hasPassword = counts(password, settings.passwordCheckLifetime);
  if (!hasPasskey && !hasPassword && !counts(intent, settings.externalLoginCheckLifetime)) return to("/password");
  if (request?.hintUserId !== undefined && request.hintUserId !== user.id) return to("/password", "other_account");
  if (hasPassword && (await mustChangePassword(call, user.id, user.organizationId))) return to("/password/change");
  const { usable, isDue, hasAny } = await listSecondFactors(call, user.id, settings);
  const lifetime = settings.secondFactorCheckLifetime;
  const isForced = settings.forceMfa === true || (settings.forceMfaLocalOnly === true && hasPassword);
  const isAsked =
    (isDue || isForced) && !hasPasskey && !usable.some(({ check }) => counts(session.factors?.[check], lifetime));
  const [strongest] = usable;
  if (isAsked && strongest !== undefined) {
    await sendCode(call, visit, attempt, strongest.kind);
    return {
      redirect: `/second-factor?${new URLSearchParams({ attempt: attempt.id, kind: strongest.kind }).toString()}`,
    };
  }
  if (isAsked && hasAny) return to("/password", "second_factor_unusable");
  if (isAsked) {
    const isAddable = (await listAddable(call, user.id, settings)).length > 0;
    return isAddable ? to("/second-factor/set-up") : to("/password", "second_factor_none");
  }
  if (attempt.device !== undefined) return to("/device/decide");
  return to("/password", settings.allowLocalAuthentication === true ? "other_account" : "passwords_not_allowed");
}

/** Which checks count: made since the request requires it, and not longer ago than the settings allow. */
function countingSince(request: AuthRequest | undefined, settings: LoginSettings) {
  const createdAt = Date.parse(request?.creationDate ?? "");
  const isAnew = request?.prompt?.includes("PROMPT_LOGIN") === true;
  const maxAge = request?.maxAge === undefined ? undefined : secondsOf(request.maxAge) * 1000;
  const since = isAnew ? createdAt : maxAge === undefined ? 0 : Math.min(createdAt, Date.now() - maxAge);
  return (check: Checked | undefined, lifetime: string | undefined = settings.passwordCheckLifetime): boolean => {
    if (check === undefined) return false;
    const checkedAt = Date.parse(check.verifiedAt);
    return checkedAt >= since && checkedAt + secondsOf(lifetime ?? "0s") * 1000 > Date.now();
  };
}

const secondsOf = (duration: string): number => Number(duration.replace(/s$/, ""));

async function mustChangePassword(call: Call, userId: string, organizationId: string): Promise<boolean> {
  const { user } = await call<{ user: User }>("user.v2.UserService/GetUserByID", { userId });
  if (user.human?.passwordChangeRequired === true) return true;
  const { settings } = await call<{ settings?: { maxAgeDays?: string } }>(
    "settings.v2.SettingsService/GetPasswordExpirySettings",
    { ctx: { orgId: organizationId } },
  );
  const days = Number(settings?.maxAgeDays ?? 0);
  return days > 0 && Date.parse(user.human?.passwordChanged ?? "") + days * 86_400_000 <= Date.now();
}
