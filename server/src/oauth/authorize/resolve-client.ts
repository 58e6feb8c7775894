import type { Call } from "../../call/index.ts";
import { type Client, matchRedirectUri } from "../../domain/application/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../parameters.ts";

/** A request that may not leave the server: nobody proved that the address in it belongs to the client. */
export class UntrustedRequest extends Error {
  override readonly name = "UntrustedRequest";
  /** Slug of the sentence for the person who sees the page. */
  readonly slug: "authorize.client_unknown" | "authorize.redirect_uri_missing" | "authorize.redirect_uri_mismatch";
  readonly client: Client | undefined;
  readonly redirectUri: string | undefined;

  constructor(slug: UntrustedRequest["slug"], client?: Client, redirectUri?: string) {
    super(slug);
    this.slug = slug;
    this.client = client;
    this.redirectUri = redirectUri;
  }
}

/**
 * The client and where its answers go: before both are known, errors are shown to the person and never sent anywhere (RFC 6749 §4.1.2.1,
 * RFC 9700 §4.11.2).
 */
export async function resolveClient(
  deps: OAuthDeps,
  call: Call,
  parameters: Parameters,
): Promise<{ readonly client: Client; readonly redirectUri: string }> {
  const clientId = parameters.get("client_id");
  const client = clientId === undefined ? undefined : await deps.findClient(call, clientId);
  if (client === undefined || !client.isActive || client.applicationKind !== "oidc") {
    throw new UntrustedRequest("authorize.client_unknown");
  }
  const requested = parameters.get("redirect_uri");
  if (requested === undefined) throw new UntrustedRequest("authorize.redirect_uri_missing", client);
  const redirectUri = matchRedirectUri(client, requested, parameters.get("response_type"));
  if (redirectUri === undefined) throw new UntrustedRequest("authorize.redirect_uri_mismatch", client, requested);
  return { client, redirectUri };
}
