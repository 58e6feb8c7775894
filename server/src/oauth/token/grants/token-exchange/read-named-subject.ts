import { type Assertion, JwtRefused, parseAssertion, verifyAssertion } from "../../../../base/jose/index.ts";
import { findUserScope } from "../../../../domain/user/index.ts";
import { assertionRules } from "../../../client-authentication/assertion-rules.ts";
import type { AuthenticatedClient } from "../../../client-authentication/authenticate-client.ts";
import type { GrantContext } from "../../grant.ts";
import type { Party } from "./party.ts";

/** Returns a user by id: only a name, so it permits nothing by itself. */
export async function readUserId(context: GrantContext, userId: string): Promise<Party | undefined> {
  return readNamed(context, userId, undefined);
}

/**
 * Returns the user in a JWT of the client itself: issuer is the client, subject the user, we are the only audience, at
 * most an hour old.
 */
export async function readClientJwt(
  context: GrantContext,
  text: string,
  client: AuthenticatedClient,
): Promise<Party | undefined> {
  const { call, issuer, deps } = context;
  try {
    const assertion: Assertion = parseAssertion(text);
    const userId = assertion.subject;
    if (userId === undefined) return undefined;
    const { claims } = await verifyAssertion(assertion, {
      ...assertionRules,
      types: ["jwt"],
      keys: await deps.clientKeys.find(client, { now: call.now, keyId: assertion.keyId }),
      issuer: client.clientId,
      subject: userId,
      audience: issuer,
      now: call.now,
    });
    return await readNamed(context, userId, claims["may_act"]);
  } catch (error) {
    if (error instanceof JwtRefused) return undefined;
    throw error;
  }
}

async function readNamed({ deps, call }: GrantContext, userId: string, mayAct: unknown): Promise<Party | undefined> {
  const user = await findUserScope(deps.database.read, call.instanceId, userId);
  if (user?.state !== "active" || user.organizationState !== "active") return undefined;
  return {
    userId,
    organizationId: user.organizationId,
    clientId: undefined,
    scope: undefined,
    audience: [],
    isBound: false,
    carriesPermissions: false,
    sessionId: undefined,
    authTime: undefined,
    authenticationMethods: [],
    acr: undefined,
    nonce: undefined,
    actor: undefined,
    mayAct,
    // The expiry of the result is the actor's.
    expiresAt: Number.POSITIVE_INFINITY,
    sources: [],
  };
}
