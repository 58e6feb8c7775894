import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import { type TestError, type TestGrant, takeTestAnswer } from "../../domain/test-sign-in/index.ts";
import { toOAuthError } from "../answer-errors.ts";
import type { OAuthDeps } from "../deps.ts";
import { createContext } from "../token/create-context.ts";
import { imagineTokens } from "./imagine-tokens.ts";
import { readTokens, type TestedTokens } from "./read-tokens.ts";

export type TestOutcome = ({ readonly kind: "result" } & TestedTokens) | TestError;

/**
 * Takes the answer of a sign-in that tried an application, and returns what its tokens would say; undefined while the
 * user has not ended the sign-in. The decision and the claims are those of the token endpoint and of UserInfo, with
 * their scripts and targets. Nothing is stored or signed, so no token exists that anyone could use.
 */
export async function finishTestSignIn(
  deps: OAuthDeps,
  call: Call,
  input: { readonly testId: string; readonly applicationId: string },
): Promise<TestOutcome | undefined> {
  const answer = await takeTestAnswer(deps, call, input);
  if (answer?.kind !== "granted") return answer;
  try {
    return { kind: "result", ...(await readGrant(deps, call, answer)) };
  } catch (error) {
    const { code, description } = toOAuthError(error);
    if (code === "server_error") deps.report(error, call.requestId);
    return { kind: "failed", error: code, description, reference: call.requestId };
  }
}

async function readGrant(deps: OAuthDeps, call: Call, grant: TestGrant): Promise<TestedTokens> {
  const client = await deps.clients.find(call.instanceId, grant.clientId);
  if (client?.isActive !== true) throw new OAuthError("unauthorized_client", "the application is not active");
  const issuer = await deps.originOf(call.instanceId);
  const context = await createContext(deps, call, { issuer, dpopThumbprint: undefined });
  // It writes nothing, but holds the consent while it decides, as a redemption does.
  const imagined = await deps.database.touch(call, (tx) => imagineTokens(tx, context, client, grant));
  return readTokens(context, client, imagined);
}
