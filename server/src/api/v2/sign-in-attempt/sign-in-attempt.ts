import {
  type SignInAttemptSearchFilter,
  SignInCheck as WireCheck,
  SignInOutcome as WireOutcome,
  SignInResult as WireResult,
  SignInSetting as WireSetting,
} from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_pb";
import { SignInAttemptService } from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  type DecidingSetting,
  getSignInAttempt,
  listSignInAttempts,
  type SignInAttempt,
  type SignInAttemptFilter,
  type SignInCheck,
  type SignInOutcome,
  type SignInResult,
} from "../../../domain/sign-in-attempt/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toInstantFilter,
  toPage,
  toPagination,
  toTimestamp,
} from "../../contract/index.ts";

/** SignInAttemptService. */
export const signInAttemptMethods = (deps: { readonly database: Database }): Binding =>
  bind(SignInAttemptService, {
    async getSignInAttempt(call, { id: attemptId }) {
      return { attempt: toMessage(await getSignInAttempt(deps, call, { attemptId })) };
    },
    async listSignInAttempts(call, { filters, pagination }) {
      const requested = toPage(pagination);
      const { rows, total } = await listSignInAttempts(deps, call, { ...requested, filters: filters.map(toFilter) });
      return { attempts: rows.map(toMessage), pagination: toPagination(total, requested.page) };
    },
  });

function toFilter({ filter }: SignInAttemptSearchFilter, index: number): SignInAttemptFilter {
  switch (filter.case) {
    case "inIdsFilter":
      return { by: "ids", attemptIds: filter.value.ids };
    case "userIdFilter":
      return { by: "user", userId: filter.value.id };
    case "organizationIdFilter":
      return { by: "organization", organizationId: filter.value.id };
    case "clientIdFilter":
      return { by: "client", clientId: filter.value.clientId };
    case "resultFilter":
      return { by: "result", result: wireResults[filter.value.result] ?? refuseFilter(`filters[${index}]`) };
    case "hasFailedFilter":
      return { by: "failure", hasFailed: filter.value.hasFailed };
    case "referenceFilter":
      return { by: "reference", reference: filter.value.reference };
    case "startDateFilter":
      return { by: "startedAt", ...toInstantFilter(filter.value) };
    case undefined:
      return refuseFilter(`filters[${index}]`);
    default:
      return filter satisfies never;
  }
}

function toMessage(attempt: SignInAttempt) {
  const { attemptId, user, client, sessionId, result, hasFailed, reference, source, browser, system, steps } = attempt;
  return {
    id: attemptId,
    startDate: toTimestamp(attempt.startedAt),
    changeDate: toTimestamp(attempt.changedAt),
    result: results[result],
    hasFailed,
    ...(user !== undefined && { user: toUser(user) }),
    ...(client !== undefined && {
      application: {
        clientId: client.clientId,
        name: client.name,
        id: client.applicationId,
        projectId: client.projectId,
      },
    }),
    sessionId: sessionId ?? "",
    reference,
    source,
    browser: browser ?? "",
    system: system ?? "",
    steps: steps.map((step) => ({
      date: toTimestamp(step.at),
      check: checks[step.check],
      outcome: outcomes[step.outcome],
      setting: step.setting === undefined ? WireSetting.UNSPECIFIED : settings[step.setting],
      settingValue: step.value ?? 0,
      failedAttempts: step.failedAttempts ?? 0,
      identityProviderId: step.identityProviderId ?? "",
      reference: step.reference,
    })),
  };
}

const toUser = ({ userId: id, organizationId, displayName, loginName }: NonNullable<SignInAttempt["user"]>) => ({
  id,
  organizationId,
  displayName,
  preferredLoginName: loginName,
});

const results: Readonly<Record<SignInResult, WireResult>> = {
  signed_in: WireResult.SIGNED_IN,
  failed: WireResult.FAILED,
  unfinished: WireResult.UNFINISHED,
};

const wireResults: Readonly<Record<number, SignInResult>> = {
  [WireResult.SIGNED_IN]: "signed_in",
  [WireResult.FAILED]: "failed",
  [WireResult.UNFINISHED]: "unfinished",
};

const checks: Readonly<Record<SignInCheck, WireCheck>> = {
  name: WireCheck.NAME,
  password: WireCheck.PASSWORD,
  totp: WireCheck.TOTP,
  otp_sms: WireCheck.OTP_SMS,
  otp_email: WireCheck.OTP_EMAIL,
  recovery_codes: WireCheck.RECOVERY_CODE,
  key: WireCheck.KEY,
  passkey: WireCheck.PASSKEY,
  identity_provider: WireCheck.IDENTITY_PROVIDER,
  second_factor: WireCheck.SECOND_FACTOR,
  second_factor_setup: WireCheck.SECOND_FACTOR_SETUP,
  password_change: WireCheck.PASSWORD_CHANGE,
  registration: WireCheck.REGISTRATION,
  script: WireCheck.SCRIPT,
  consent: WireCheck.CONSENT,
  application: WireCheck.APPLICATION,
  request: WireCheck.REQUEST,
};

const outcomes: Readonly<Record<SignInOutcome, WireOutcome>> = {
  passed: WireOutcome.PASSED,
  asked: WireOutcome.ASKED,
  wrong: WireOutcome.WRONG,
  blocked: WireOutcome.BLOCKED,
  throttled: WireOutcome.THROTTLED,
  not_allowed: WireOutcome.NOT_ALLOWED,
  absent: WireOutcome.ABSENT,
  unknown: WireOutcome.UNKNOWN,
  other_account: WireOutcome.OTHER_ACCOUNT,
  expired: WireOutcome.EXPIRED,
  canceled: WireOutcome.CANCELED,
  refused: WireOutcome.REFUSED,
  failed: WireOutcome.FAILED,
};

const settings: Readonly<Record<DecidingSetting, WireSetting>> = {
  lockout_password_attempts: WireSetting.LOCKOUT_PASSWORD_ATTEMPTS,
  lockout_otp_attempts: WireSetting.LOCKOUT_OTP_ATTEMPTS,
  force_mfa: WireSetting.FORCE_MFA,
  force_mfa_local_only: WireSetting.FORCE_MFA_LOCAL_ONLY,
  user_second_factor: WireSetting.USER_SECOND_FACTOR,
  requested_authentication: WireSetting.REQUESTED_AUTHENTICATION,
  allow_local_authentication: WireSetting.ALLOW_USERNAME_PASSWORD,
  allow_passkeys: WireSetting.PASSKEYS_TYPE,
  allow_register: WireSetting.ALLOW_REGISTER,
  allow_external_idp: WireSetting.ALLOW_EXTERNAL_IDP,
  disable_login_with_email: WireSetting.DISABLE_LOGIN_WITH_EMAIL,
  disable_login_with_phone: WireSetting.DISABLE_LOGIN_WITH_PHONE,
  second_factors: WireSetting.SECOND_FACTORS,
  password_max_age: WireSetting.PASSWORD_MAX_AGE,
  password_change_required: WireSetting.PASSWORD_CHANGE_REQUIRED,
  user_state: WireSetting.USER_STATE,
  provider_creation: WireSetting.PROVIDER_CREATION,
  provider_linking: WireSetting.PROVIDER_LINKING,
  provider_state: WireSetting.PROVIDER_STATE,
  project_access: WireSetting.PROJECT_ACCESS,
  organization_scope: WireSetting.ORGANIZATION_SCOPE,
  redirect_uris: WireSetting.REDIRECT_URIS,
  application_state: WireSetting.APPLICATION_STATE,
};
