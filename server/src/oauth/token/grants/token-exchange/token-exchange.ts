import {
  checkUserOfClient,
  endOfFamily,
  exchangedAudience,
  exchangedTarget,
  leftOutRestrictions,
  narrowAudience,
  requireGrantedScope,
  withoutAlias,
} from "../../../../authority/index.ts";
import { OAuthError } from "../../../../base/oauth-error.ts";
import { weakerContext } from "../../../../domain/session/index.ts";
import { isOfImpersonation, type NewFamily, recordExchange } from "../../../../domain/token/index.ts";
import { recordUserEvent } from "../../../../domain/user/index.ts";
import type { AuthenticatedClient } from "../../../client-authentication/authenticate-client.ts";
import { type Grant, type GrantContext, type Issuance, inContext } from "../../grant.ts";
import { chainActors } from "./actor-chain.ts";
import { type ExchangeRequest, parseExchangeRequest } from "./exchange-request.ts";
import type { Party } from "./party.ts";
import { readAccessToken } from "./read-access-token.ts";
import { readIdToken, requireMayExchangeIdTokens } from "./read-id-token.ts";
import { readClientJwt, readUserId } from "./read-named-subject.ts";
import {
  requireImpersonationOn,
  requireMayActFor,
  requireOwnToken,
  requirePermissionsOf,
  requireTrustedClient,
} from "./require-impersonation.ts";
import { tokenTypes } from "./token-types.ts";

/**
 * Grant token exchange (RFC 8693): another scope, audience or format for the same user, or, with an actor, tokens that
 * let the actor act for the user. Every refusal of a token is `invalid_request` (RFC 8693 §2.2.2).
 */
export const tokenExchange: Grant = {
  grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
  authentication: "client",
  prepare: async (context, parameters, client) => {
    const request = parseExchangeRequest(parameters, context.deps.namespaceAliases);
    const parties = await resolveParties(context, request, client);
    const issuance = await toIssuance(context, request, parties, client);
    return { decide: async (tx) => ({ ...issuance, onIssued: ({ family }) => record(tx, family) }) };

    async function record(tx: Parameters<typeof recordExchange>[0], family: Parameters<typeof recordExchange>[1]) {
      const { subject, actor } = parties;
      await recordExchange(tx, family, {
        subjectTokenType: request.subject.type,
        actorTokenType: request.actor?.type,
        requestedTokenType: request.requestedType,
        subjectClientId: subject.clientId,
      });
      if (actor === undefined) return;
      const { clientId, applicationId } = client;
      await recordUserEvent(tx, subject, {
        type: "user.impersonated",
        payload: { clientId, applicationId, actor: family.actor },
      });
    }
  },
};

/**
 * A longer chain of exchanges is a mistake or an attack: each use of a token checks everything it depends on.
 */
const maximumSources = 64;

interface Parties {
  readonly subject: Party;
  readonly actor: Party | undefined;
}

async function resolveParties(
  context: GrantContext,
  request: ExchangeRequest,
  client: AuthenticatedClient,
): Promise<Parties> {
  const { actor: presented } = request;
  if (request.subject.type === "id_token") requireMayExchangeIdTokens(context, client);
  if (presented === undefined) {
    return { subject: accepted("subject_token", await readSubject(context, request, client)), actor: undefined };
  }
  requireTrustedClient(client);
  await requireImpersonationOn(context);
  const actor = accepted("actor_token", await readAccessToken(context, presented.token, client));
  requirePermissionsOf(actor);
  requireOwnToken(actor);
  const subject = await readSubject(context, request, client);
  // An invalid token may be reported as such. For a user id the response only tells whether the actor may act for it.
  if (request.subject.type !== "user_id") accepted("subject_token", subject);
  if (subject !== undefined) requireOwnToken(subject);
  await requireMayActFor(context, subject, actor);
  return { subject: accepted("subject_token", subject), actor };
}

function readSubject(
  context: GrantContext,
  { subject: { type, token } }: ExchangeRequest,
  client: AuthenticatedClient,
): Promise<Party | undefined> {
  switch (type) {
    case "access_token":
      return readAccessToken(context, token, client);
    case "id_token":
      return readIdToken(context, token, client);
    case "jwt":
      return readClientJwt(context, token, client);
    case "user_id":
      return readUserId(context, token);
    default:
      return type satisfies never;
  }
}

function accepted(name: string, party: Party | undefined): Party {
  if (party === undefined) throw new OAuthError("invalid_request", `the ${name} is invalid`);
  return party;
}

async function toIssuance(
  context: GrantContext,
  request: ExchangeRequest,
  { subject, actor }: Parties,
  client: AuthenticatedClient,
): Promise<Issuance> {
  const { call, deps, issuer, lifetimes } = context;
  const { requestedType } = request;
  const own = withoutAlias(request.scope, deps.namespaceAliases);
  requireGrantedScope(own, subject, actor);
  if (requestedType === "id_token" && !own.has("openid")) {
    throw new OAuthError("invalid_scope", "an id token needs the scope openid");
  }
  const parties = actor === undefined ? [subject] : [subject, actor];
  const exchange = { ...context, ...deps, instanceId: call.instanceId, reader: deps.database.read };
  const audience = await exchangedAudience(exchange, client, {
    userId: subject.userId,
    subject,
    actor,
    audience: narrowAudience(request, subject, actor),
    wanted: request.audience,
  });
  const token = await exchangedTarget(
    inContext(deps.database.read, context),
    { client, userId: subject.userId },
    {
      scope: new Set([...request.scope, ...leftOutRestrictions(own, subject.scope ?? own)]),
      audience,
      named: request.resources,
      format: requestedType === "jwt" ? "jwt" : "opaque",
      since: Math.min(...parties.map(({ audienceSince = call.now }) => audienceSince)),
    },
  );
  const { scope, format } = token;
  if (scope === "") throw new OAuthError("invalid_scope", "no scope of the request is known");
  if (requestedType === "jwt" && format !== "jwt") {
    throw new OAuthError("invalid_target", "the resource takes no tokens that are JWTs");
  }
  const use = await checkUserOfClient(deps, call, { client, user: subject, scope });
  if (use === "other_organization")
    throw new OAuthError("invalid_scope", "the user is not of the organization of the scope");
  if (use === "no_project_access") throw new OAuthError("invalid_request", "the user may not use this application");
  const isIdTokenAlone = requestedType === "id_token";
  const mayRefresh = own.has("offline_access") && client.grantTypes.has("refresh_token");
  const notAfter = Math.min(...parties.map((party) => party.expiresAt));
  const sources = [...subject.sources, ...(actor === undefined ? [] : sourcesOfActor(actor))];
  if (sources.length > maximumSources) {
    throw new OAuthError("invalid_request", "too many exchanges stand behind the tokens");
  }
  const family: NewFamily = {
    clientId: client.clientId,
    applicationId: client.applicationId,
    projectId: client.projectId,
    userId: subject.userId,
    sessionId: subject.sessionId,
    scope,
    audience: token.audience,
    authTime: (actor ?? subject).authTime,
    authenticationMethods: (actor ?? subject).authenticationMethods,
    // A class says something of everyone who signed in for the token.
    acr: actor === undefined ? subject.acr : weakerContext(subject.acr, actor.acr),
    nonce: subject.nonce,
    actor: chainActors(issuer, subject, actor),
    exchangedFormat: format,
    credentialExpiresAt: subject.credentialExpiresAt,
    expiresAt: endOfFamily("renewable", lifetimes, { now: call.now, notAfter }),
    sources,
  };
  return {
    family: { kind: "new", family },
    ...token,
    format: isIdTokenAlone ? "none" : format,
    notAfter,
    // An id token alone has no access token that would remember the key.
    isKeyKept: isIdTokenAlone || parties.some((party) => party.isBound),
    withRefreshToken: !isIdTokenAlone && mayRefresh && !isOfImpersonation(sources),
    withIdToken: own.has("openid"),
    issuedTokenType: tokenTypes[requestedType].identifier,
  };
}

const sourcesOfActor = ({ userId, sessionId, sources }: Party): NonNullable<NewFamily["sources"]> => [
  { kind: "user", id: userId },
  ...(sessionId === undefined ? [] : ([{ kind: "session", id: sessionId }] as const)),
  ...sources,
];
