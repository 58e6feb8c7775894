import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import {
  type FinishTestSignInResponseSchema,
  type TestedClaimsSchema,
  ClaimReason as WireReason,
} from "@doorward/api/service/test_sign_in/v2/test_sign_in_pb";
import { TestSignInService } from "@doorward/api/service/test_sign_in/v2/test_sign_in_service_pb";
import { createTestSignIn } from "../../../domain/test-sign-in/index.ts";
import {
  type ClaimReason,
  finishTestSignIn,
  type OAuthDeps,
  type TestedClaims,
  type TestOutcome,
} from "../../../oauth/index.ts";
import { endpointPaths } from "../../../web/index.ts";
import { type Binding, bind, toDuration, toTimestamp } from "../../contract/index.ts";

/** TestSignInService. */
export const testSignInMethods = (deps: OAuthDeps): Binding =>
  bind(TestSignInService, {
    async createTestSignIn(call, { applicationId, scopes, requiresSignIn }) {
      const created = await createTestSignIn(deps, call, { applicationId, scopes, requiresSignIn });
      const { testId: id, clientId, reference, expiresAt } = created;
      const query = new URLSearchParams({ client_id: clientId, request_uri: reference });
      return { id, path: `${endpointPaths.authorization}?${query.toString()}`, expirationDate: toTimestamp(expiresAt) };
    },
    async finishTestSignIn(call, { id: testId, applicationId }) {
      const outcome = await finishTestSignIn(deps, call, { testId, applicationId });
      return outcome === undefined ? {} : toOutcome(outcome);
    },
  });

function toOutcome(outcome: TestOutcome): MessageInitShape<typeof FinishTestSignInResponseSchema> {
  if (outcome.kind === "failed") {
    const { error, description, reference } = outcome;
    return { outcome: { case: "error", value: { error, description, reference } } };
  }
  const { userId, scopes, idToken, accessToken, userinfo, withRefreshToken, lifetime } = outcome;
  return {
    outcome: {
      case: "result",
      value: {
        userId,
        scopes: [...scopes],
        ...(idToken && { idToken: toClaims(idToken) }),
        ...(accessToken && { accessToken: toClaims(accessToken) }),
        ...(userinfo && { userinfo: toClaims(userinfo) }),
        hasRefreshToken: withRefreshToken,
        lifetime: toDuration(Math.floor(lifetime / 1000)),
      },
    },
  };
}

function toClaims({ isJwt, algorithm, claims, notes }: TestedClaims): MessageInitShape<typeof TestedClaimsSchema> {
  return {
    isJwt,
    algorithm,
    // As JSON says it: what is undefined is left out.
    claims: JSON.parse(JSON.stringify(claims)) as JsonObject,
    notes: notes.map(({ name, reason, detail = "" }) => ({ name, reason: wireReasons[reason], detail })),
  };
}

const wireReasons: Readonly<Record<ClaimReason, WireReason>> = {
  protocol: WireReason.PROTOCOL,
  request: WireReason.REQUEST,
  scope: WireReason.SCOPE,
  setting: WireReason.SETTING,
  extension: WireReason.EXTENSION,
  missing_scope: WireReason.MISSING_SCOPE,
  missing_setting: WireReason.MISSING_SETTING,
  missing_value: WireReason.MISSING_VALUE,
};
