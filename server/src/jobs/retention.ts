import { days, hours, minutes } from "../base/clock.ts";
import { type EndedRows, restoredBudgets } from "../database/index.ts";
import { settledDeliveries } from "../domain/action/index.ts";
import { expiredAuthRequests, expiredPushedRequests, expiredReferences } from "../domain/auth-request/index.ts";
import { formerJobRows, formerJobs } from "../domain/bulk-job/index.ts";
import { expiredDeviceAttempts, expiredDeviceAuthorizations } from "../domain/device-authorization/index.ts";
import { expiredIntents, expiredProviderSessions, unreadAnswers } from "../domain/identity-provider-intent/index.ts";
import { expiredProviderLogouts } from "../domain/identity-provider-logout/index.ts";
import { formerImpersonations } from "../domain/impersonation/index.ts";
import { expiredNotifications } from "../domain/notification/index.ts";
import { expiredOneTimeSecrets } from "../domain/one-time-secret/index.ts";
import { expiredSessions, terminatedSessions } from "../domain/session/index.ts";
import { formerSetupLinks } from "../domain/setup-link/index.ts";
import { expiredSignIns } from "../domain/sign-in/index.ts";
import { formerSignInAttempts } from "../domain/sign-in-attempt/index.ts";
import { expiredActivities, formerStatistics, keptFor } from "../domain/statistics/index.ts";
import { expiredTestSignIns } from "../domain/test-sign-in/index.ts";
import {
  expiredAccessTokens,
  expiredAssertions,
  expiredCodes,
  expiredFamilies,
  expiredFamilySources,
  expiredRefreshTokens,
} from "../domain/token/index.ts";
import { expiredKeyRegistrations } from "../domain/webauthn-key/index.ts";

/** A class of records, and how long a record is kept after its end. */
export interface Retained {
  /** Name of the class in the log and in metrics. */
  readonly records: string;
  /** Milliseconds between the end of a record and its removal. */
  readonly keep: number;
  /** The rows of records that ended before the instant. */
  readonly ended: (before: number) => EndedRows;
}

/**
 * How long ended records are kept. The order matters: a family is removed when its tokens are gone, and a session when
 * its families are.
 */
export const retention: readonly Retained[] = [
  // A code that is presented again revokes the tokens it gave (RFC 6749 §4.1.2), as long as it is known.
  { records: "authorization_codes", keep: days(1), ended: expiredCodes },
  { records: "used_assertions", keep: minutes(2), ended: expiredAssertions },
  { records: "access_tokens", keep: hours(1), ended: expiredAccessTokens },
  // Used refresh tokens stay until their expiry: reuse reveals a thief.
  { records: "refresh_tokens", keep: days(1), ended: expiredRefreshTokens },
  { records: "token_families", keep: days(1), ended: expiredFamilies },
  { records: "token_family_sources", keep: days(1), ended: expiredFamilySources },
  { records: "auth_requests", keep: hours(1), ended: expiredAuthRequests },
  // An expired one is of no use.
  { records: "pushed_requests", keep: minutes(1), ended: expiredPushedRequests },
  { records: "test_sign_ins", keep: 0, ended: expiredTestSignIns },
  { records: "answered_references", keep: minutes(2), ended: expiredReferences },
  // During this time a device is told that its code has expired, rather than that it never existed.
  { records: "device_authorizations", keep: days(1), ended: expiredDeviceAuthorizations },
  { records: "device_attempts", keep: hours(1), ended: expiredDeviceAttempts },
  { records: "budgets", keep: hours(1), ended: restoredBudgets },
  { records: "sign_ins", keep: hours(1), ended: expiredSignIns },
  // Long enough to answer users who ask why they could not sign in.
  { records: "sign_in_attempts", keep: days(30), ended: formerSignInAttempts },
  // Long enough to look up what became of each user.
  { records: "bulk_job_rows", keep: days(30), ended: formerJobRows },
  { records: "bulk_jobs", keep: days(30), ended: formerJobs },
  // Long enough to see who set up what.
  { records: "setup_links", keep: days(30), ended: formerSetupLinks },
  // Long enough to ask about one; the events stay.
  { records: "impersonations", keep: days(30), ended: formerImpersonations },
  // Strangers can have them kept, and they are the largest part of an attempt.
  { records: "unread_answers", keep: 0, ended: unreadAnswers },
  { records: "identity_intents", keep: hours(1), ended: expiredIntents },
  { records: "provider_sessions", keep: hours(1), ended: expiredProviderSessions },
  { records: "provider_logouts", keep: hours(1), ended: expiredProviderLogouts },
  { records: "one_time_secrets", keep: days(1), ended: expiredOneTimeSecrets },
  // During this time the user sees that they began to add a passkey.
  { records: "key_registrations", keep: days(1), ended: expiredKeyRegistrations },
  // Long enough to investigate a message that its recipient reports as missing.
  { records: "notifications", keep: days(7), ended: expiredNotifications },
  { records: "terminated_sessions", keep: days(1), ended: terminatedSessions },
  // Browsers offer the accounts of expired sessions, which makes signing in again easy.
  { records: "expired_sessions", keep: days(90), ended: expiredSessions },
  // The log of deliveries to targets.
  { records: "deliveries", keep: days(7), ended: settledDeliveries },
  { records: "statistics_by_hour", keep: keptFor.hour, ended: formerStatistics("hour") },
  { records: "statistics_by_day", keep: keptFor.day, ended: formerStatistics("day") },
  { records: "statistics_by_month", keep: keptFor.month, ended: formerStatistics("month") },
  { records: "active_users", keep: 0, ended: expiredActivities },
];
