import {
  type AccessTokenTarget,
  decideAuthority,
  endOfFamily,
  isStillConsented,
  orderTokens,
} from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { authenticationMethodsOf, contextLevelOf, describeContext, isSessionLive } from "../../domain/session/index.ts";
import { type IssuedTokens, type NewFamily, startFamily } from "../../domain/token/index.ts";
import { noteSignedInClient } from "../back-channel-logout/note-signed-in-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { createContext } from "../token/create-context.ts";
import { type GrantContext, inContext } from "../token/grant.ts";
import { idTokenResponse, tokenResponse } from "../token/token-response.ts";
import type { Answerer, AnswerInput } from "./answer-input.ts";
import { prepareClaim } from "./claim-answer.ts";

/**
 * Issues the tokens of response types `id_token` and `id_token token` (OpenID Connect Core §3.2.2.5), never a refresh
 * token. Returns undefined when the request was already answered. A session that has ended meanwhile yields no tokens.
 */
export async function issueTokens(
  deps: OAuthDeps,
  call: Call,
  input: AnswerInput,
  answerer: Answerer,
): Promise<Readonly<Record<string, string>> | undefined> {
  const context = await createContext(deps, call, { issuer: input.issuer, dpopThumbprint: undefined });
  const { family, token } = await decide(context, input, answerer);
  const { client } = input;
  const isIdTokenAlone = input.parameters.responseType === "id_token";
  const issued = await answerOnce(context, input, answerer, (tx) =>
    startFamily(
      tx,
      deps,
      family,
      orderTokens(
        { ...token, format: isIdTokenAlone ? "none" : token.format, withRefreshToken: false },
        { ...context, now: tx.now, client },
      ),
    ),
  );
  if (issued === undefined) return undefined;
  const recipient = { client, withIdToken: true, refusedAs: "login_required" } as const;
  return toTexts(
    isIdTokenAlone
      ? await idTokenResponse(context, issued, recipient)
      : await tokenResponse(context, issued, recipient),
  );
}

async function decide(
  context: GrantContext,
  { client, parameters, session }: AnswerInput,
  answerer: Answerer,
): Promise<{ readonly family: NewFamily; readonly token: AccessTokenTarget }> {
  const { deps, call, lifetimes } = context;
  const { userId } = answerer;
  const request = { scope: parameters.scope, resources: parameters.resources ?? [] };
  const authority = await decideAuthority(inContext(deps.database.read, context), { client, userId }, request);
  const family = {
    ...answerer,
    clientId: client.clientId,
    applicationId: client.applicationId,
    projectId: client.projectId,
    sessionId: session.sessionId,
    scope: authority.scope,
    audience: authority.audience,
    authenticationMethods: authenticationMethodsOf(session),
    acr: describeContext(contextLevelOf(session), parameters),
    nonce: parameters.nonce,
    claims: parameters.claims,
    actor: undefined,
    expiresAt: endOfFamily("once", lifetimes, call),
  };
  return { family, token: authority.tokenFor([]) };
}

async function answerOnce(
  context: GrantContext,
  input: AnswerInput,
  { userId }: Answerer,
  issue: (tx: Tx) => IssuedTokens,
): Promise<IssuedTokens | undefined> {
  const { deps, call } = context;
  const { client, parameters, session } = input;
  const claim = await prepareClaim(deps, call, input);
  return deps.database.change(call, async (tx) => {
    if (!(await claim(tx))) return undefined;
    if (!(await isSessionLive(tx, tx.instanceId, session.sessionId))) {
      throw new OAuthError("login_required", "the session was ended");
    }
    if (!(await isStillConsented(tx, inContext(tx, context), { client, userId }, parameters))) {
      throw new OAuthError("consent_required", "the client no longer has the user's consent");
    }
    noteSignedInClient(tx, client, session);
    return issue(tx);
  });
}

const toTexts = (answer: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]));
