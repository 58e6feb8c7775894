import {
  decideAuthority,
  endOfFamily,
  isStillConsented,
  parseScope,
  requireGranted,
  withoutAlias,
} from "../../../authority/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import type { Tx } from "../../../database/index.ts";
import {
  giveBackApproval,
  type PollOutcome,
  pollDeviceAuthorization,
  redeemDeviceAuthorization,
} from "../../../domain/device-authorization/index.ts";
import { describeContext, levelOfMethods } from "../../../domain/session/index.ts";
import { endUndelivered } from "../../../domain/token/index.ts";
import { noteSignedInClient } from "../../back-channel-logout/note-signed-in-client.ts";
import type { AuthenticatedClient } from "../../client-authentication/authenticate-client.ts";
import { required } from "../../parameters.ts";
import { readResources } from "../../read-resources.ts";
import { type Grant, type GrantContext, type Issuance, inContext, type Refusal } from "../grant.ts";

/**
 * Grant device code (RFC 8628 §3.4): a device polls for the user's approval. Polls are recorded even when they are
 * refused, so each is counted before the decision.
 */
export const deviceCode: Grant = {
  grantType: "urn:ietf:params:oauth:grant-type:device_code",
  authentication: "client",
  prepare: async (context, parameters, client) => {
    const code = required(parameters, "device_code");
    const named = readResources(parameters);
    const outcome = await pollDeviceAuthorization(context.deps, context.call, {
      deviceCode: code,
      clientId: client.clientId,
    });
    if (outcome !== "approved") throw refusals[outcome]();
    return { decide: (tx) => redeem(tx, context, { code, named }, client) };
  },
};

const refusals: Readonly<Record<Exclude<PollOutcome, "approved">, () => OAuthError>> = {
  pending: () => new OAuthError("authorization_pending", "the user has not decided yet"),
  slow_down: () => new OAuthError("slow_down", "wait five seconds longer between polls"),
  denied: () => new OAuthError("access_denied", "the user denied the device"),
  expired: () => new OAuthError("expired_token", "the device code has expired"),
  unknown: () => new OAuthError("invalid_grant", "the device code is unknown, used or of another client"),
};

async function redeem(
  tx: Tx,
  context: GrantContext,
  { code, named }: { readonly code: string; readonly named: readonly string[] },
  client: AuthenticatedClient,
): Promise<Issuance | Refusal> {
  const approval = await redeemDeviceAuthorization(tx, { deviceCode: code, clientId: client.clientId });
  if (approval === undefined) return { error: refusals.unknown() };
  const { userId, sessionId, authTime, authenticationMethods } = approval;
  if (!approval.isSessionLive) {
    return { error: new OAuthError("invalid_grant", "the session has ended, or its user may not sign in") };
  }
  if (!(await isStillConsented(tx, inContext(tx, context), { client, userId }, approval))) {
    return { error: new OAuthError("invalid_grant", "the client no longer has the user's consent") };
  }
  noteSignedInClient(tx, client, approval);
  const request = { scope: approval.scope, resources: approval.resources };
  requireGranted(named, approval.resources);
  const authority = await decideAuthority(inContext(tx, context), { client, userId }, request);
  const scope = withoutAlias(parseScope(authority.scope), context.deps.namespaceAliases);
  const token = authority.tokenFor(named);
  return {
    family: {
      kind: "new",
      family: {
        clientId: client.clientId,
        applicationId: client.applicationId,
        projectId: client.projectId,
        userId,
        sessionId,
        authTime,
        authenticationMethods,
        acr: describeContext(levelOfMethods(authenticationMethods)),
        audience: authority.audience,
        scope: authority.scope,
        nonce: undefined,
        actor: undefined,
        expiresAt: endOfFamily("renewable", context.lifetimes, context.call),
      },
    },
    ...token,
    withRefreshToken: scope.has("offline_access") && client.grantTypes.has("refresh_token"),
    withIdToken: scope.has("openid"),
    giveBack: async (later, { family }) => {
      if (await endUndelivered(later, family.familyId)) await giveBackApproval(later, code);
    },
  };
}
