import { days, hours, minutes } from "../base/clock.ts";
import { deleteRestoredBudgets, type Tx } from "../database/index.ts";
import { deleteSettledDeliveries } from "../domain/action/index.ts";
import {
  deleteExpiredAuthRequests,
  deleteExpiredPushedRequests,
  deleteExpiredReferences,
} from "../domain/auth-request/index.ts";
import {
  deleteExpiredDeviceAttempts,
  deleteExpiredDeviceAuthorizations,
} from "../domain/device-authorization/index.ts";
import { deleteExpiredIntents } from "../domain/identity-provider-intent/index.ts";
import { deleteExpiredNotifications } from "../domain/notification/index.ts";
import { deleteExpiredOneTimeSecrets } from "../domain/one-time-secret/index.ts";
import { deleteExpiredSessions, deleteTerminatedSessions } from "../domain/session/index.ts";
import { deleteExpiredSignIns } from "../domain/sign-in/index.ts";
import {
  deleteExpiredAccessTokens,
  deleteExpiredAssertions,
  deleteExpiredCodes,
  deleteExpiredFamilies,
  deleteExpiredFamilySources,
  deleteExpiredRefreshTokens,
} from "../domain/token/index.ts";
import { deleteExpiredRegistrations } from "../domain/webauthn-key/index.ts";

/** A class of records, and how long a record is kept after its end. */
export interface Retained {
  /** Name of the class in the log and in metrics. */
  readonly records: string;
  /** Milliseconds between the end of a record and its removal. */
  readonly keep: number;
  /** Deletes at most `limit` records that ended before the instant; returns how many. */
  readonly discard: (tx: Tx, before: number, limit: number) => Promise<number>;
}

/**
 * How long ended records are kept. The order matters: a family is removed when its tokens are gone, and a session when
 * its families are.
 */
export const retention: readonly Retained[] = [
  // A code that is presented again revokes the tokens it gave (RFC 6749 §4.1.2), as long as it is known.
  { records: "authorization_codes", keep: days(1), discard: deleteExpiredCodes },
  { records: "used_assertions", keep: minutes(2), discard: deleteExpiredAssertions },
  { records: "access_tokens", keep: hours(1), discard: deleteExpiredAccessTokens },
  // Used refresh tokens stay until their expiry: reuse reveals a thief.
  { records: "refresh_tokens", keep: days(1), discard: deleteExpiredRefreshTokens },
  { records: "token_families", keep: days(1), discard: deleteExpiredFamilies },
  { records: "token_family_sources", keep: days(1), discard: deleteExpiredFamilySources },
  { records: "auth_requests", keep: hours(1), discard: deleteExpiredAuthRequests },
  // An expired one is of no use.
  { records: "pushed_requests", keep: minutes(1), discard: deleteExpiredPushedRequests },
  { records: "answered_references", keep: minutes(2), discard: deleteExpiredReferences },
  // During this time a device is told that its code has expired, rather than that it never existed.
  { records: "device_authorizations", keep: days(1), discard: deleteExpiredDeviceAuthorizations },
  { records: "device_attempts", keep: hours(1), discard: deleteExpiredDeviceAttempts },
  { records: "budgets", keep: hours(1), discard: deleteRestoredBudgets },
  { records: "sign_ins", keep: hours(1), discard: deleteExpiredSignIns },
  { records: "identity_intents", keep: hours(1), discard: deleteExpiredIntents },
  { records: "one_time_secrets", keep: days(1), discard: deleteExpiredOneTimeSecrets },
  // During this time the user sees that they began to add a passkey.
  { records: "key_registrations", keep: days(1), discard: deleteExpiredRegistrations },
  // Long enough to investigate a message that its recipient reports as missing.
  { records: "notifications", keep: days(7), discard: deleteExpiredNotifications },
  { records: "terminated_sessions", keep: days(1), discard: deleteTerminatedSessions },
  // Browsers offer the accounts of expired sessions, which makes signing in again easy.
  { records: "expired_sessions", keep: days(90), discard: deleteExpiredSessions },
  // The log of deliveries to targets.
  { records: "deliveries", keep: days(7), discard: deleteSettledDeliveries },
];
