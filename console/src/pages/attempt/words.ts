import {
  type SignInAttempt,
  SignInCheck,
  SignInOutcome,
  SignInResult,
  SignInSetting,
  type SignInStep,
} from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_pb";
import type { BadgeLook } from "../../parts/badge.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";

/** Results, with their names in the address. */
export const results = {
  failed: SignInResult.FAILED,
  unfinished: SignInResult.UNFINISHED,
  signedIn: SignInResult.SIGNED_IN,
} as const;

const resultNames = Object.keys(results) as readonly (keyof typeof results)[];

/** Returns the name of a result; one that this console does not know yet is unfinished. */
export const resultName = ({ result }: SignInAttempt): keyof typeof results =>
  resultNames.find((name) => results[name] === result) ?? "unfinished";

/** The choices of the filter by result: also attempts in which something failed, whatever came later. */
export const resultChoices = ["withFailures", ...resultNames] as const;

export const resultLooks: Readonly<Record<keyof typeof results, BadgeLook>> = {
  failed: "bad",
  unfinished: "neutral",
  signedIn: "good",
};

const checks: Readonly<Record<SignInCheck, TextKey>> = {
  [SignInCheck.UNSPECIFIED]: "attempt.check.request",
  [SignInCheck.NAME]: "attempt.check.name",
  [SignInCheck.PASSWORD]: "attempt.check.password",
  [SignInCheck.TOTP]: "attempt.check.totp",
  [SignInCheck.OTP_SMS]: "attempt.check.otpSms",
  [SignInCheck.OTP_EMAIL]: "attempt.check.otpEmail",
  [SignInCheck.RECOVERY_CODE]: "attempt.check.recoveryCode",
  [SignInCheck.KEY]: "attempt.check.key",
  [SignInCheck.PASSKEY]: "attempt.check.passkey",
  [SignInCheck.IDENTITY_PROVIDER]: "attempt.check.provider",
  [SignInCheck.SECOND_FACTOR]: "attempt.check.secondFactor",
  [SignInCheck.SECOND_FACTOR_SETUP]: "attempt.check.secondFactorSetup",
  [SignInCheck.PASSWORD_CHANGE]: "attempt.check.passwordChange",
  [SignInCheck.REGISTRATION]: "attempt.check.registration",
  [SignInCheck.SCRIPT]: "attempt.check.script",
  [SignInCheck.CONSENT]: "attempt.check.consent",
  [SignInCheck.APPLICATION]: "attempt.check.application",
  [SignInCheck.REQUEST]: "attempt.check.request",
};

const outcomes: Readonly<Record<SignInOutcome, TextKey>> = {
  [SignInOutcome.UNSPECIFIED]: "attempt.outcome.failed",
  [SignInOutcome.PASSED]: "attempt.outcome.passed",
  [SignInOutcome.ASKED]: "attempt.outcome.asked",
  [SignInOutcome.WRONG]: "attempt.outcome.wrong",
  [SignInOutcome.BLOCKED]: "attempt.outcome.blocked",
  [SignInOutcome.THROTTLED]: "attempt.outcome.throttled",
  [SignInOutcome.NOT_ALLOWED]: "attempt.outcome.notAllowed",
  [SignInOutcome.ABSENT]: "attempt.outcome.absent",
  [SignInOutcome.UNKNOWN]: "attempt.outcome.unknown",
  [SignInOutcome.OTHER_ACCOUNT]: "attempt.outcome.otherAccount",
  [SignInOutcome.EXPIRED]: "attempt.outcome.expired",
  [SignInOutcome.CANCELED]: "attempt.outcome.canceled",
  [SignInOutcome.REFUSED]: "attempt.outcome.refused",
  [SignInOutcome.FAILED]: "attempt.outcome.failed",
};

/** Returns what a step was about. */
export const checkOf = ({ check }: SignInStep): string => t(checks[check] ?? "attempt.check.request");

/** Returns how a step ended, with the number of wrong guesses in a row where there were several. */
export function outcomeOf({ outcome, failedAttempts }: SignInStep): string {
  if (outcome === SignInOutcome.WRONG && failedAttempts > 1) {
    return t("attempt.outcome.wrongAgain", { number: formatNumber(failedAttempts) });
  }
  return t(outcomes[outcome] ?? "attempt.outcome.failed");
}

/** Returns why an attempt failed, or has not ended yet, in a few words; undefined where it simply succeeded. */
export function reasonOf(attempt: SignInAttempt): string | undefined {
  const step = decidingStep(attempt);
  return step && t("attempt.reason", { check: checkOf(step), outcome: outcomeOf(step) });
}

/** The last step that did not pass; where the user was signed in, what was asked for is answered. */
export const decidingStep = ({ steps, result }: SignInAttempt): SignInStep | undefined =>
  steps.findLast(
    ({ outcome }) =>
      outcome !== SignInOutcome.PASSED && (outcome !== SignInOutcome.ASKED || result !== SignInResult.SIGNED_IN),
  );

/** A setting or state that decided about a step: what it says, and the page on which it is changed. */
export interface Decision {
  readonly text: string;
  readonly to: string | undefined;
}

const settings: Readonly<Partial<Record<SignInSetting, TextKey>>> = {
  [SignInSetting.FORCE_MFA]: "attempt.setting.forceMfa",
  [SignInSetting.FORCE_MFA_LOCAL_ONLY]: "attempt.setting.forceMfaLocal",
  [SignInSetting.USER_SECOND_FACTOR]: "attempt.setting.userSecondFactor",
  [SignInSetting.REQUESTED_AUTHENTICATION]: "attempt.setting.requestedAuthentication",
  [SignInSetting.ALLOW_USERNAME_PASSWORD]: "attempt.setting.passwordOff",
  [SignInSetting.PASSKEYS_TYPE]: "attempt.setting.passkeysOff",
  [SignInSetting.ALLOW_REGISTER]: "attempt.setting.registerOff",
  [SignInSetting.ALLOW_EXTERNAL_IDP]: "attempt.setting.externalOff",
  [SignInSetting.DISABLE_LOGIN_WITH_EMAIL]: "attempt.setting.emailOff",
  [SignInSetting.DISABLE_LOGIN_WITH_PHONE]: "attempt.setting.phoneOff",
  [SignInSetting.SECOND_FACTORS]: "attempt.setting.secondFactors",
  [SignInSetting.PASSWORD_MAX_AGE]: "attempt.setting.passwordAge",
  [SignInSetting.PASSWORD_CHANGE_REQUIRED]: "attempt.setting.passwordChange",
  [SignInSetting.USER_STATE]: "attempt.setting.userState",
  [SignInSetting.PROVIDER_CREATION]: "attempt.setting.providerCreation",
  [SignInSetting.PROVIDER_LINKING]: "attempt.setting.providerLinking",
  [SignInSetting.PROVIDER_STATE]: "attempt.setting.providerState",
  [SignInSetting.PROJECT_ACCESS]: "attempt.setting.projectAccess",
  [SignInSetting.ORGANIZATION_SCOPE]: "attempt.setting.organizationScope",
  [SignInSetting.REDIRECT_URIS]: "attempt.setting.redirectUris",
  [SignInSetting.APPLICATION_STATE]: "attempt.setting.applicationState",
};

/** Returns what decided about a step; undefined where no setting did. */
export function decisionOf(attempt: SignInAttempt, step: SignInStep): Decision | undefined {
  const text = settingText(step);
  return text === undefined ? undefined : { text, to: pageOf(attempt, step) };
}

function settingText({ setting, settingValue }: SignInStep): string | undefined {
  const number = formatNumber(settingValue);
  switch (setting) {
    case SignInSetting.LOCKOUT_PASSWORD_ATTEMPTS:
      return settingValue > 0 ? t("attempt.setting.lockoutPassword", { number }) : t("attempt.setting.lockout");
    case SignInSetting.LOCKOUT_OTP_ATTEMPTS:
      return settingValue > 0 ? t("attempt.setting.lockoutCode", { number }) : t("attempt.setting.lockout");
    default: {
      const key = settings[setting];
      return key && t(key);
    }
  }
}

function pageOf({ user, application }: SignInAttempt, { setting }: SignInStep): string | undefined {
  // The settings of the user's organization; without one, those of the instance.
  const ofSettings = (document: string): string =>
    user === undefined ? `/settings/${document}` : `/settings/${document}?org=${user.organizationId}`;
  switch (setting) {
    case SignInSetting.LOCKOUT_PASSWORD_ATTEMPTS:
    case SignInSetting.LOCKOUT_OTP_ATTEMPTS:
      return ofSettings("lockout");
    case SignInSetting.PASSWORD_MAX_AGE:
      return ofSettings("password-age");
    case SignInSetting.PROVIDER_CREATION:
    case SignInSetting.PROVIDER_LINKING:
    case SignInSetting.PROVIDER_STATE:
      return ofSettings("providers");
    case SignInSetting.USER_STATE:
      return user && `/users/${user.id}`;
    case SignInSetting.PASSWORD_CHANGE_REQUIRED:
    case SignInSetting.USER_SECOND_FACTOR:
      return user && `/users/${user.id}/sign-in`;
    case SignInSetting.PROJECT_ACCESS:
      return application?.projectId ? `/projects/${application.projectId}` : undefined;
    case SignInSetting.REDIRECT_URIS:
      return application?.id ? `/applications/${application.id}/addresses` : undefined;
    case SignInSetting.APPLICATION_STATE:
      return application?.id ? `/applications/${application.id}` : undefined;
    case SignInSetting.REQUESTED_AUTHENTICATION:
    case SignInSetting.ORGANIZATION_SCOPE:
    case SignInSetting.UNSPECIFIED:
      return undefined;
    default:
      return ofSettings("login");
  }
}

/** Returns what the device of an attempt is called. */
export function deviceOf({ browser, system }: SignInAttempt): string {
  if (browser === "" && system === "") return t("user.sessions.unknownDevice");
  return browser === "" || system === "" ? browser || system : t("user.sessions.deviceOn", { browser, system });
}

/** Whether a name was entered that no user has. */
export const isUnknownName = ({ user, steps }: SignInAttempt): boolean =>
  user === undefined && steps.some(({ check }) => check === SignInCheck.NAME);

/** Returns whom an attempt is about. */
export function whoOf(attempt: SignInAttempt): string {
  const { user } = attempt;
  if (user !== undefined) return user.displayName || user.preferredLoginName || user.id;
  return t(isUnknownName(attempt) ? "attempt.unknownName" : "attempt.noName");
}
