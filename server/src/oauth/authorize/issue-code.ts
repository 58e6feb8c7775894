import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { fapiCodeLifetimeSeconds } from "../../domain/oidc-configuration/index.ts";
import type { OidcSettings } from "../../domain/settings/index.ts";
import { createAuthorizationCode } from "../../domain/token/index.ts";
import { noteSignedInClient } from "../back-channel-logout/note-signed-in-client.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Answerer, AnswerInput } from "./answer-input.ts";
import { prepareClaim } from "./claim-answer.ts";
import { describeAnswer } from "./describe-answer.ts";

/** Issues a code for response type `code` (RFC 6749 §4.1.2); undefined when the request was already answered. */
export async function issueCode(
  deps: OAuthDeps,
  call: Call,
  input: AnswerInput,
  answerer: Answerer,
): Promise<{ readonly code: string } | undefined> {
  const { client, session, authRequestId, impersonationId } = input;
  const { settings } = await deps.settings.get("oidc", { instanceId: call.instanceId });
  const claim = await prepareClaim(deps, call, input);
  const code = await deps.database.touch(call, async (tx) => {
    if (!(await claim(tx))) return undefined;
    if (impersonationId === undefined) noteSignedInClient(tx, client, session);
    return createAuthorizationCode(tx, deps, {
      clientId: client.clientId,
      authRequestId: authRequestId ?? "",
      lifetime: lifetimeOf(client, settings) * 1000,
      issuance: describeAnswer(input, answerer),
    });
  });
  return code && { code: code.reveal() };
}

const lifetimeOf = ({ profile }: Client, { authorizationCodeLifetimeSeconds }: OidcSettings): number =>
  profile === "fapi2"
    ? Math.min(authorizationCodeLifetimeSeconds, fapiCodeLifetimeSeconds)
    : authorizationCodeLifetimeSeconds;
