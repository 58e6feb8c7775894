import type { Instant } from "../../base/clock.ts";

/** What a step of an attempt was about. */
export type SignInCheck =
  | "name"
  | "password"
  | "totp"
  | "otp_sms"
  | "otp_email"
  | "recovery_codes"
  | "key"
  | "passkey"
  | "identity_provider"
  /** The question for a second factor. */
  | "second_factor"
  | "second_factor_setup"
  | "password_change"
  | "registration"
  | "script"
  | "consent"
  | "application"
  /** The request of an application or of a page. */
  | "request";

/** How a step ended. */
export type SignInOutcome =
  | "passed"
  /** It is asked for next. */
  | "asked"
  | "wrong"
  /** The user or the factor is locked after too many wrong guesses. */
  | "blocked"
  /** Guesses came too fast; not evaluated. */
  | "throttled"
  /** A setting or a state forbids it. */
  | "not_allowed"
  /** The user has no such method. */
  | "absent"
  | "unknown"
  /** Another account than the application, or the user, meant. */
  | "other_account"
  | "expired"
  | "canceled"
  | "refused"
  /** A technical failure, at a provider for example. */
  | "failed";

/** What decided: a setting, or a state that an administrator can change. */
export type DecidingSetting =
  | "lockout_password_attempts"
  | "lockout_otp_attempts"
  | "force_mfa"
  | "force_mfa_local_only"
  | "user_second_factor"
  | "requested_authentication"
  | "allow_local_authentication"
  | "allow_passkeys"
  | "allow_register"
  | "allow_external_idp"
  | "disable_login_with_email"
  | "disable_login_with_phone"
  | "second_factors"
  | "password_max_age"
  | "password_change_required"
  | "user_state"
  | "provider_creation"
  | "provider_linking"
  | "provider_state"
  | "project_access"
  | "organization_scope"
  | "redirect_uris"
  | "application_state";

/** One step of an attempt. Never contains what was entered. */
export interface SignInStep {
  readonly check: SignInCheck;
  readonly outcome: SignInOutcome;
  readonly setting?: DecidingSetting | undefined;
  /** The value of the setting, where it is a number. */
  readonly value?: number | undefined;
  /** Wrong guesses in a row, with this one. */
  readonly failedAttempts?: number | undefined;
  readonly identityProviderId?: string | undefined;
}

/** A step with when it was. */
export type RecordedStep = SignInStep & { readonly at: Instant; readonly reference: string };

/** `unfinished`: something was asked for, and is not answered yet, or never was. */
export type SignInResult = "signed_in" | "failed" | "unfinished";

/** An attempt as administrators see it. */
export interface SignInAttempt {
  readonly attemptId: string;
  /** Undefined where no user is known. */
  readonly user:
    | {
        readonly userId: string;
        readonly organizationId: string;
        readonly displayName: string;
        readonly loginName: string;
      }
    | undefined;
  /** The application that waits; undefined where none does, or where it was of strangers. */
  readonly client: AttemptClient | undefined;
  readonly sessionId: string | undefined;
  readonly result: SignInResult;
  /** Whether something failed in it, whatever came later. */
  readonly hasFailed: boolean;
  /** What the user was shown as a reference last; otherwise the id of the last request. */
  readonly reference: string;
  /** Network that the request came from; empty where it is not known. */
  readonly source: string;
  readonly browser: string | undefined;
  readonly system: string | undefined;
  readonly steps: readonly RecordedStep[];
  readonly startedAt: Instant;
  readonly changedAt: Instant;
}

/** The application of an attempt. Its ids are empty where the caller may not read it. */
interface AttemptClient {
  readonly clientId: string;
  readonly name: string;
  readonly applicationId: string;
  readonly projectId: string;
}
