import type { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { matchRedirectUri, type RedirectUri } from "../../domain/oidc-configuration/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../parameters.ts";
import { chooseResponseMode } from "../response-mode/response-mode.ts";
import type { ResponseTarget } from "./answer.ts";
import { readUiLocales } from "./read-ui-locales.ts";

/** Thrown for a request whose error may not be redirected: its address is not proven to belong to the client. */
export class UntrustedRequest extends Error {
  override readonly name = "UntrustedRequest";
  /** Slug of the sentence on the page for the user. */
  readonly slug: "authorize.client_unknown" | "authorize.redirect_uri_missing" | "authorize.redirect_uri_mismatch";
  readonly client: Client | undefined;
  readonly redirectUri: string | undefined;
  /** A sentence for the developer of the client. */
  readonly detail: string | undefined;

  /** Why the request was refused before its response target was known. */
  readonly refused: OAuthError | undefined;

  constructor(
    slug: UntrustedRequest["slug"],
    known: {
      readonly client?: Client;
      readonly redirectUri?: string;
      readonly refused?: OAuthError | undefined;
      readonly detail?: string | undefined;
    } = {},
  ) {
    super(slug);
    this.slug = slug;
    this.client = known.client;
    this.redirectUri = known.redirectUri;
    this.refused = known.refused;
    this.detail = known.detail;
  }
}

/** Finds the requesting client (RFC 6749 §4.1.2.1). An unknown or inactive client causes an error page. */
export async function resolveClient(
  deps: OAuthDeps,
  call: Call,
  { parameters, refused }: { readonly parameters: Parameters; readonly refused?: OAuthError | undefined },
): Promise<Client> {
  const clientId = parameters.get("client_id");
  const client = clientId === undefined ? undefined : await deps.findClient(call, clientId);
  if (client === undefined || !client.isActive || client.applicationKind !== "oidc") {
    const detail = client === undefined ? await deps.explainClient(call, clientId ?? "") : undefined;
    throw new UntrustedRequest("authorize.client_unknown", { detail, refused });
  }
  call.note?.({ clientId: client.clientId });
  return client;
}

/**
 * Returns the response target of the client. Before it is known, errors are shown to the user and never redirected (RFC
 * 6749 §4.1.2.1, RFC 9700 §4.11.2).
 */
export function resolveTarget(
  client: Client,
  { parameters, refused }: { readonly parameters: Parameters; readonly refused?: OAuthError | undefined },
): ResponseTarget & { readonly redirectUri: RedirectUri } {
  const requested = parameters.get("redirect_uri");
  if (requested === undefined) throw new UntrustedRequest("authorize.redirect_uri_missing", { client, refused });
  const responseType = parameters.get("response_type");
  const redirectUri = matchRedirectUri(client, requested, responseType);
  if (redirectUri === undefined) {
    throw new UntrustedRequest("authorize.redirect_uri_mismatch", { client, redirectUri: requested, refused });
  }
  const state = parameters.get("state");
  return {
    redirectUri,
    responseMode: chooseResponseMode({ requested: parameters.get("response_mode"), responseType, redirectUri }),
    uiLocales: readUiLocales(parameters),
    ...(state !== undefined && { state }),
  };
}
