import type { Instant } from "../../../base/clock.ts";
import { type Assertion, JwtRefused, parseAssertion, verifyAssertion } from "../../../base/jose/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import { useAssertion } from "../../../domain/token/index.ts";
import { findServiceAccountById, listUserVerificationKeys, type ServiceAccount } from "../../../domain/user/index.ts";
import { assertionRulesOf } from "../../client-authentication/assertion-rules.ts";
import { listAudienceEndpoints } from "../../client-authentication/private-key-jwt.ts";
import { required } from "../../parameters.ts";
import { readResources } from "../../read-resources.ts";
import type { Grant, GrantContext } from "../grant.ts";
import { issueToServiceAccount } from "../service-account.ts";

/**
 * Grant JWT profile (RFC 7523 §2.1): the assertion is the authentication. Issuer and subject are the service account's
 * user id, and every audience is our issuer or an endpoint of ours. It is signed by an unexpired key of the account,
 * lives at most an hour, and is used once when it has a `jti`. In the strict profile it has one, and lives at most five
 * minutes.
 */
export const jwtBearer: Grant = {
  grantType: "urn:ietf:params:oauth:grant-type:jwt-bearer",
  authentication: "own",
  prepare: async (context, parameters) => {
    const assertion = required(parameters, "assertion");
    const scope = required(parameters, "scope");
    const { account, credentialExpiresAt } = await verifyAccount(context, assertion);
    const issuance = await issueToServiceAccount(context, account, {
      scope,
      resources: readResources(parameters),
      authenticationMethods: [],
      credentialExpiresAt,
      mayHaveIdToken: true,
    });
    return { clientId: account.userId, decide: async () => issuance };
  },
};

/** A service account, and when the key that proved it ends. */
interface ProvenAccount {
  readonly account: ServiceAccount;
  readonly credentialExpiresAt: Instant;
}

async function verifyAccount({ deps, call, issuer }: GrantContext, text: string): Promise<ProvenAccount> {
  const assertion = parse(text);
  const userId = assertion.issuer;
  const account =
    userId === undefined ? undefined : await findServiceAccountById(deps.database.read, call.instanceId, userId);
  if (account === undefined || userId === undefined) throw refused();
  const keys = await listUserVerificationKeys(deps.database.read, call.instanceId, {
    userId,
    keyId: assertion.keyId,
    now: call.now,
  });
  const { keyId, replayKey, expiresAt } = await verifyAssertion(assertion, {
    ...assertionRulesOf(deps),
    keys,
    issuer: userId,
    subject: userId,
    audience: issuer,
    otherAudiences: deps.takesEndpointsAsAudience ? listAudienceEndpoints(issuer) : [],
    now: call.now,
  }).catch((error: unknown) => {
    throw error instanceof JwtRefused ? refused(error) : error;
  });
  const isFresh = await useAssertion(deps, call, { kind: "jwt_profile", issuer: userId, replayKey, expiresAt });
  // Without `kid` the account has one key alone.
  const key = keys.find((one) => keyId === undefined || one.keyId === keyId);
  if (!isFresh || key === undefined) throw refused();
  return { account, credentialExpiresAt: key.expiresAt };
}

function parse(text: string): Assertion {
  try {
    return parseAssertion(text);
  } catch (error) {
    throw error instanceof JwtRefused ? refused(error) : error;
  }
}

const refused = (cause?: unknown): OAuthError =>
  new OAuthError("invalid_grant", "the assertion is invalid, expired or was used before", { cause });
