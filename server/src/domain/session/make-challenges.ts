import { Fault } from "../../base/fault.ts";
import type { Secret } from "../../base/secret.ts";
import { isLoginClient, requireCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { isAdministrator } from "../administrator-access/index.ts";
import type { CodeDelivery, CodeDeps } from "../contact/index.ts";
import { challengeOtp } from "../factor/index.ts";
import { challengeKey, type RequestOptions, type UserVerification } from "../webauthn-key/index.ts";
import { hasFirstFactor } from "./authentication.ts";
import type { Factors } from "./session.ts";

/** What is to be asked of the user of a session, and answered by a later check. */
export interface WantedChallenges {
  readonly otpSms?: CodeDelivery;
  readonly otpEmail?: CodeDelivery;
  readonly webAuthN?: { readonly domain: string; readonly userVerification: UserVerification };
}

/** The challenges that were created. */
export interface Challenges {
  /** Names of what was asked for, for the record. */
  readonly names: readonly (keyof WantedChallenges)[];
  /** What the session says of its codes from now on. */
  readonly factors: Pick<Factors, "isCodeReturned">;
  /** The code, when it was to be returned. */
  readonly otpSms?: Secret | undefined;
  readonly otpEmail?: Secret | undefined;
  /** Argument of `navigator.credentials.get()`. */
  readonly webAuthN?: RequestOptions | undefined;
}

/**
 * Step: creates the wanted challenges. A new challenge of a kind replaces the one before. A sign-in application gets no
 * code of a user who administers anything, nor has one sent to a page of an organization: with their password alone it
 * would have both factors (A14).
 */
export async function makeChallenges(
  tx: Tx,
  deps: CodeDeps,
  wanted: WantedChallenges,
  session: { readonly sessionId: string; readonly userId: string | undefined; readonly factors: Factors },
): Promise<Challenges> {
  const names = (Object.keys(wanted) as (keyof WantedChallenges)[]).toSorted();
  if (names.length === 0) return { names, factors: {} };
  const { sessionId, userId } = session;
  if (userId === undefined) throw new Fault("failed_precondition", "session.user_missing", { field: "challenges" });
  const { otpSms, otpEmail, webAuthN } = wanted;
  const of = { sessionId, userId };
  const ofCode = { ...of, isAfterFirstFactor: hasFirstFactor(session) };
  const sms =
    otpSms &&
    (await challengeOtp(tx, deps, { ...ofCode, kind: "otp_sms", delivery: otpSms, field: "challenges.otpSms" }));
  const email =
    otpEmail &&
    (await challengeOtp(tx, deps, { ...ofCode, kind: "otp_email", delivery: otpEmail, field: "challenges.otpEmail" }));
  const isReadByOthers = sms?.isReadByOthers === true || email?.isReadByOthers === true;
  if (isReadByOthers && (await isAdministratorOfLogin(tx, userId))) {
    throw new Fault("permission_denied", "user.login_client_unproven", { field: "challenges" });
  }
  return {
    names,
    factors: isReadByOthers ? { isCodeReturned: true } : {},
    ...(sms && { otpSms: sms.code }),
    ...(email && { otpEmail: email.code }),
    ...(webAuthN !== undefined && {
      webAuthN: await challengeKey(tx, deps, { ...of, ...webAuthN, field: "challenges.webAuthN" }),
    }),
  };
}

const isAdministratorOfLogin = async (tx: Tx, userId: string): Promise<boolean> =>
  isLoginClient(requireCaller(tx.call).access) && isAdministrator(tx, tx.instanceId, userId);
