import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import type { RequestChallenges, RequestChallenges_OTPEmail } from "@doorward/api/service/session/v2/challenge_pb";
import type { Checks } from "@doorward/api/service/session/v2/check_pb";
import type { SearchQuery } from "@doorward/api/service/session/v2/query_pb";
import {
  type SessionSchema,
  type UserAgent as UserAgentMessage,
  UserVerificationRequirement,
} from "@doorward/api/service/session/v2/session_pb";
import { SessionService } from "@doorward/api/service/session/v2/session_service_pb";
import { Fault } from "../../../base/fault.ts";
import { type Call, requireCaller } from "../../../call/index.ts";
import type { CodeDelivery } from "../../../domain/contact/index.ts";
import {
  type Challenges,
  createSession,
  type FactorChecks,
  getSession,
  listSessions,
  type ReadSession,
  type SessionDeps,
  type SessionFilter,
  setSession,
  type UserAgent,
  type WantedChallenges,
} from "../../../domain/session/index.ts";
import type { UserVerification } from "../../../domain/webauthn-key/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toDetails,
  toInstantFilter,
  toListDetails,
  toPage,
  toTimestamp,
} from "../../contract/index.ts";

/** SessionService, except for deleting: that ends tokens as well (`sign-out`). */
export const sessionMethods = (deps: SessionDeps): Binding =>
  bind(SessionService, {
    createSession: async (call, { checks, metadata, challenges, userAgent, lifetime }) => {
      const asked = { checks: toChecks(checks), challenges: toChallenges(challenges) };
      const input = { ...asked, metadata, userAgent: toUserAgent(userAgent) };
      const written = await createSession(deps, call, { ...input, lifetimeSeconds: lifetime && toSeconds(lifetime) });
      const { sessionId, token, details } = written;
      const made = toMade(written.challenges);
      return { details: toDetails(details), sessionId, sessionToken: token.reveal(), ...made };
    },
    setSession: async (call, { sessionId, checks, metadata, challenges, lifetime }) => {
      const input = { sessionId, checks: toChecks(checks), challenges: toChallenges(challenges), metadata };
      const written = await setSession(deps, call, { ...input, lifetimeSeconds: lifetime && toSeconds(lifetime) });
      const made = toMade(written.challenges);
      return { details: toDetails(written.details), sessionToken: written.token.reveal(), ...made };
    },
    getSession: async (call, { sessionId, sessionToken }) => ({
      session: toMessage(await getSession(deps, call, { sessionId, sessionToken })),
    }),
    listSessions: async (call, { query, queries }) => {
      const { page, isDescending } = toPage(query, "query");
      const filters = queries.map((each) => toFilter(call, each));
      const { sessions, total } = await listSessions(deps, call, { filters, page, isDescending });
      return { details: toListDetails(total, call.now), sessions: sessions.map(toMessage) };
    },
  });

function toChecks(checks: Checks | undefined): FactorChecks {
  const { user, password, webAuthN, idpIntent, totp, otpSms, otpEmail, recoveryCode } = checks ?? {};
  return {
    ...(user !== undefined && { user: toUserCheck(user) }),
    ...(password !== undefined && { password: password.password }),
    ...(webAuthN !== undefined && { webAuthN: webAuthN.credentialAssertionData ?? {} }),
    ...(idpIntent !== undefined && {
      idpIntent: { intentId: idpIntent.idpIntentId, token: idpIntent.idpIntentToken },
    }),
    ...(totp !== undefined && { totp: totp.code }),
    ...(otpSms !== undefined && { otpSms: otpSms.code }),
    ...(otpEmail !== undefined && { otpEmail: otpEmail.code }),
    ...(recoveryCode !== undefined && { recoveryCode: recoveryCode.code }),
  };
}

function toUserCheck({ search }: NonNullable<Checks["user"]>): NonNullable<FactorChecks["user"]> {
  switch (search.case) {
    case "userId":
      return { userId: search.value };
    case "loginName":
      return { loginName: search.value };
    case undefined:
      throw new Fault("invalid_argument", "session.user_check_empty", { field: "checks.user" });
    default:
      return search satisfies never;
  }
}

function toChallenges(challenges: RequestChallenges | undefined): WantedChallenges {
  const { webAuthN, otpSms, otpEmail } = challenges ?? {};
  return {
    ...(otpSms !== undefined && { otpSms: otpSms.returnCode ? returned : sent }),
    ...(otpEmail !== undefined && { otpEmail: toDelivery(otpEmail.deliveryType) }),
    ...(webAuthN !== undefined && {
      webAuthN: { domain: webAuthN.domain, userVerification: verifications[webAuthN.userVerificationRequirement] },
    }),
  };
}

const verifications = {
  // The contract refuses it.
  [UserVerificationRequirement.UNSPECIFIED]: "required",
  [UserVerificationRequirement.REQUIRED]: "required",
  [UserVerificationRequirement.PREFERRED]: "preferred",
  [UserVerificationRequirement.DISCOURAGED]: "discouraged",
} as const satisfies Record<UserVerificationRequirement, UserVerification>;

const returned = { by: "return" } as const;
const sent = { by: "message" } as const;

const toDelivery = (type: RequestChallenges_OTPEmail["deliveryType"]): CodeDelivery =>
  type.case === "returnCode" ? returned : { ...sent, urlTemplate: type.value?.urlTemplate };

/** Converts challenges for the response: codes only when they were to be returned. */
function toMade({ names, otpSms, otpEmail, webAuthN }: Challenges) {
  if (names.length === 0) return {};
  const challenges = {
    ...(otpSms !== undefined && { otpSms: otpSms.reveal() }),
    ...(otpEmail !== undefined && { otpEmail: otpEmail.reveal() }),
    ...(webAuthN !== undefined && { webAuthN: { publicKeyCredentialRequestOptions: webAuthN } }),
  };
  return { challenges };
}

const toSeconds = ({ seconds, nanos }: Duration): number => Number(seconds) + nanos / 1e9;

function toUserAgent(message: UserAgentMessage | undefined): UserAgent {
  const { fingerprintId, ip, description, header = {} } = message ?? {};
  const lines = Object.entries(header).map(([name, { values }]) => [name, values] as const);
  return {
    // An empty fingerprint identifies no browser: two users without one do not share a browser.
    ...(fingerprintId !== undefined && fingerprintId !== "" && { fingerprintId }),
    ...(ip !== undefined && { ip }),
    ...(description !== undefined && { description }),
    ...(lines.length > 0 && { header: Object.fromEntries(lines) }),
  };
}

function toFilter(call: Call, { query }: SearchQuery): SessionFilter {
  switch (query.case) {
    case "idsQuery":
      return { by: "ids", ids: query.value.ids };
    case "userIdQuery":
      return { by: "user", userId: query.value.id };
    case "creatorQuery":
      return { by: "creator", userId: query.value.id || requireCaller(call).userId };
    case "userAgentQuery":
      return { by: "userAgent", fingerprintId: query.value.fingerprintId || undefined };
    case "creationDateQuery": {
      const { creationDate: timestamp, method } = query.value;
      return { by: "createdAt", ...toInstantFilter({ timestamp, method }) };
    }
    case "expirationDateQuery": {
      const { expirationDate: timestamp, method } = query.value;
      return { by: "expiresAt", ...toInstantFilter({ timestamp, method }) };
    }
    case undefined:
      return refuseFilter("queries");
    default:
      return query satisfies never;
  }
}

function toMessage({ session, loginName, displayName }: ReadSession): MessageInitShape<typeof SessionSchema> {
  const { details, expiresAt, metadata } = session;
  return {
    id: session.sessionId,
    creationDate: toTimestamp(details.createdAt),
    changeDate: toTimestamp(details.changedAt),
    sequence: BigInt(details.sequence),
    factors: toFactors(session, { loginName, displayName }),
    metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value, "base64")])),
    userAgent: toUserAgentMessage(session.userAgent),
    ...(expiresAt !== undefined && { expirationDate: toTimestamp(expiresAt) }),
  };
}

function toFactors({ userId, organizationId, factors }: ReadSession["session"], names: Omit<ReadSession, "session">) {
  const { userCheckedAt, webAuthNCheckedAt, isUserVerified = false } = factors;
  return {
    ...(userId !== undefined &&
      userCheckedAt !== undefined && {
        user: { verifiedAt: toTimestamp(userCheckedAt), id: userId, organizationId: organizationId ?? "", ...names },
      }),
    ...toFactor("password", factors.passwordCheckedAt),
    ...(webAuthNCheckedAt !== undefined && {
      webAuthN: { verifiedAt: toTimestamp(webAuthNCheckedAt), userVerified: isUserVerified },
    }),
    ...toFactor("intent", factors.intentCheckedAt),
    ...toFactor("totp", factors.totpCheckedAt),
    ...toFactor("otpSms", factors.otpSmsCheckedAt),
    ...toFactor("otpEmail", factors.otpEmailCheckedAt),
    ...toFactor("recoveryCode", factors.recoveryCodeCheckedAt),
  };
}

const toFactor = (name: string, instant: number | undefined) =>
  instant !== undefined && { [name]: { verifiedAt: toTimestamp(instant) } };

function toUserAgentMessage({ header = {}, ...rest }: UserAgent) {
  const lines = Object.entries(header).map(([name, values]): [string, { values: string[] }] => [
    name,
    { values: [...values] },
  ]);
  return { ...rest, header: Object.fromEntries(lines) };
}
