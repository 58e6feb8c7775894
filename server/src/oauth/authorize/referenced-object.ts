import type { Clock } from "../../base/clock.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { createRateLimiter } from "../../base/rate-limiter.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { SettingsReader } from "../../domain/settings/index.ts";
import { OAuthError } from "../error.ts";
import type { Parameters } from "../parameters.ts";

/** Fetches the request object that a client published at one of its registered addresses. */
export type FetchRequestObject = (client: Client, requestUri: string) => Promise<string>;

// Whoever knows a client id can make us ask, so no client's server is asked more often than this.
const perMinute = 60;
// A person waits for it.
const timeout = 3_000;

/** Makes the reader of request objects by reference (OpenID Connect Core §6.2). What it reads is as untrusted as one that came by value. */
export function createFetchRequestObject(deps: {
  readonly outbound: Outbound;
  readonly clock: Clock;
}): FetchRequestObject {
  const limiter = createRateLimiter({ perMinute });
  return async (client, requestUri) => {
    const wait = limiter.take(`${client.instanceId}\n${client.clientId}`, deps.clock());
    if (wait > 0) throw new OAuthError("temporarily_unavailable", "the request object was asked for too often");
    // The fragment says which version it is; we keep none, so every version is the newest.
    const [url = ""] = requestUri.split("#", 1);
    try {
      const answer = await deps.outbound({ url, maximumBytes: 65_536, timeout });
      if (answer.status === 200) return answer.body.trim();
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
    }
    throw new OAuthError("invalid_request_uri", "the request object cannot be read");
  };
}

/**
 * The parameters with the request object that they refer to, in place of the reference. Only addresses that the client registered are read, and
 * only while clients may register at all: OpenID Connect Core §15.2 asks it of providers with dynamic registration. Any other reference stays,
 * and is refused later.
 */
export async function withReferencedObject(
  deps: { readonly settings: SettingsReader; readonly fetchRequestObject: FetchRequestObject },
  { instanceId }: Call,
  client: Client,
  parameters: Parameters,
): Promise<Parameters> {
  const requestUri = parameters.get("request_uri");
  if (requestUri === undefined || parameters.has("request") || !client.requestUris.includes(requestUri)) {
    return parameters;
  }
  const { settings } = await deps.settings.get("security", { instanceId });
  if (!settings.dynamicClientRegistration.enabled) return parameters;
  const object = await deps.fetchRequestObject(client, requestUri);
  return new Map([...[...parameters].filter(([name]) => name !== "request_uri"), ["request", object]]);
}
