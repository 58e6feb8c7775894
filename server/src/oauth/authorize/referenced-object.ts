import { createRateLimiter } from "../../base/budget/rate-limiter.ts";
import { createSourceLimiter } from "../../base/budget/source-limiter.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import type { Call } from "../../call/index.ts";
import { type Client, isOfStranger } from "../../domain/application/index.ts";
import type { SettingsReader } from "../../domain/settings/index.ts";
import type { Parameters } from "../parameters.ts";

/** Fetches the request object that a client published at one of its registered addresses. */
export type FetchRequestObject = (
  call: Pick<Call, "source" | "now">,
  client: Client,
  requestUri: string,
) => Promise<string>;

// Any caller that knows a client id can trigger fetches. So each source has a limit of its own, far below that of the
// client, which protects its server: otherwise one stranger could keep all users of the client from signing in.
const ofSource = { perMinute: 60 };
const ofClient = { perMinute: 1_200 };
// The user is waiting for it.
const timeout = 3_000;

/**
 * Creates the reader of request objects by reference (OpenID Connect Core §6.2). A fetched object is as untrusted as
 * one passed by value.
 */
export function createFetchRequestObject(deps: { readonly outbound: Outbound }): FetchRequestObject {
  const sources = createSourceLimiter(ofSource);
  const clients = createRateLimiter(ofClient);
  return async ({ source = "", now }, client, requestUri) => {
    const key = `${client.instanceId}\n${client.clientId}`;
    const wait = sources.take(key, source, now) || clients.take(key, now);
    if (wait > 0) throw new OAuthError("temporarily_unavailable", "the request object was asked for too often");
    // The fragment names the version. None are cached, so every version is the newest.
    const [url = ""] = requestUri.split("#", 1);
    try {
      const answer = await deps.outbound({
        url,
        maximumBytes: 65_536,
        timeout,
        isForStranger: isOfStranger(client),
      });
      if (answer.status === 200) return answer.body.trim();
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
    }
    throw new OAuthError("invalid_request_uri", "the request object cannot be read");
  };
}

/**
 * Returns the parameters with the referenced request object in place of the reference. Reads only addresses that the
 * client registered, and only while dynamic registration is enabled, for which OpenID Connect Core §15.2 requires it.
 * Any other reference stays, and is refused later.
 */
export async function withReferencedObject(
  deps: { readonly settings: SettingsReader; readonly fetchRequestObject: FetchRequestObject },
  call: Call,
  client: Client,
  parameters: Parameters,
): Promise<Parameters> {
  const requestUri = parameters.get("request_uri");
  if (requestUri === undefined || parameters.has("request") || !client.requestUris.includes(requestUri)) {
    return parameters;
  }
  const { settings } = await deps.settings.get("security", { instanceId: call.instanceId });
  if (!settings.dynamicClientRegistration.enabled) return parameters;
  const object = await deps.fetchRequestObject(call, client, requestUri);
  return new Map([...[...parameters].filter(([name]) => name !== "request_uri"), ["request", object]]);
}
