import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import type { Call } from "../../call/index.ts";
import { type Client, isOfStranger } from "../../domain/application/index.ts";
import type { LogoutNotice } from "../../domain/logout-notice/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { prepareAlgorithm, signToken } from "../own-tokens.ts";
import { logoutTokenClaims } from "./logout-token.ts";

export type SendDeps = Pick<
  OAuthDeps,
  "clients" | "keyRing" | "originOf" | "clock" | "database" | "newId" | "vault"
> & {
  readonly outbound: Outbound;
  /** Tells a SAML service provider. */
  readonly sendToSaml: SamlLogoutSender;
};

/** Sends one notice to a SAML service provider, which knows neither our tokens nor our ids of users. */
export type SamlLogoutSender = (sent: {
  readonly notice: LogoutNotice;
  readonly client: Client;
  readonly signal: AbortSignal;
}) => Promise<SendOutcome>;

/** The outcome of an attempt; see `settleLogoutNotice`. */
export interface SendOutcome {
  readonly failure?: string;
  readonly isFinal?: boolean;
  /** More about the failure, for the log of the operator alone. */
  readonly detail?: string;
}

/**
 * Sends one logout token (OpenID Connect Back-Channel Logout 1.0 §2.5). Success is 200, or 204 as many frameworks
 * respond. Every other outcome is reported as a word, without quoting the response.
 */
export async function sendLogoutNotice(
  deps: SendDeps,
  notice: LogoutNotice,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { instanceId, clientId } = notice;
  const client = await deps.clients.find(instanceId, clientId);
  if (client?.saml !== undefined) return deps.sendToSaml({ notice, client, signal });
  const url = client?.isActive === true ? client.backChannelLogoutUri : "";
  if (client === undefined || url === "") return { failure: "client_not_listening", isFinal: true };
  const call: Call = { instanceId, requestId: "logout notices", now: deps.clock(), language: "en" };
  // The algorithm of the ID tokens, as the client expects.
  await prepareAlgorithm(deps, call, client.idTokenAlgorithm);
  const claims = logoutTokenClaims(await deps.originOf(instanceId), notice, call.now);
  const token = await signToken(deps, instanceId, client.idTokenAlgorithm, { type: "logout+jwt", claims });
  try {
    const { status } = await deps.outbound({
      url,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: token }).toString(),
      maximumBytes: 65_536,
      isForStranger: isOfStranger(client),
      signal,
    });
    return status === 200 || status === 204 ? {} : { failure: `status_${status}` };
  } catch (error) {
    if (error instanceof OutboundError) return { failure: error.shownFailure, detail: error.failure };
    throw error;
  }
}
