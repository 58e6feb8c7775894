import { minutes, seconds } from "../../base/clock.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { type Outbound, OutboundError, type OutboundResponse } from "../../base/outbound/index.ts";
import { isLoopbackUri } from "../../domain/oidc-configuration/index.ts";
import { asStranger, type ClientMetadata, readClientMetadata } from "../client-metadata/client-metadata.ts";
import type { Members } from "../client-metadata/members.ts";

/** What is known of a document: the metadata, or why there are none, as a sentence for the developer of the client. */
export type DocumentContent =
  | { readonly metadata: ClientMetadata; readonly refusal?: undefined }
  | { readonly metadata?: undefined; readonly refusal: string };

/** The result of a fetch, and its lifetime in milliseconds. */
export type FetchedDocument = DocumentContent & { readonly lifetime: number };

const longest = minutes(15);
// The token endpoint needs the document shortly after the authorization endpoint; without a minimum each sign-in would
// fetch twice.
const shortest = seconds(10);
const unsaid = minutes(5);
const failed = (refusal: string): FetchedDocument => ({ refusal, lifetime: minutes(1) });

// One sentence for all that does not name its own address: strangers must not learn what is there instead.
const notItsDocument = "there is no client metadata document with this client_id at this address";

/** Fetches the metadata document of a client (draft-ietf-oauth-client-id-metadata-document) through the guard. */
export async function fetchDocument(outbound: Outbound, url: URL, now: number): Promise<FetchedDocument> {
  try {
    const answer = await outbound({
      url: url.href,
      headers: { accept: "application/json" },
      maximumBytes: 102_400,
      isForStranger: true,
    });
    const document = answer.status === 200 ? parseJson(answer.body) : undefined;
    if (!isRecord(document) || document["client_id"] !== url.href) return failed(notItsDocument);
    return { metadata: readDocument(document, url), lifetime: lifetimeOf(answer, now) };
  } catch (error) {
    if (error instanceof OutboundError || error instanceof JsonError) return failed(notItsDocument);
    if (error instanceof OAuthError) return failed(`the client metadata document is refused: ${error.description}`);
    throw error;
  }
}

/**
 * Reads a document that names its own address. No secret was ever agreed with this server, so the client is public or
 * signs with keys of its own. Users are redirected only to the origin of the document, or to a program on their own
 * device (RFC 8252 §7.3), for which they consent each time. Throws `invalid_client_metadata` and
 * `invalid_redirect_uri`.
 */
function readDocument(document: Readonly<Record<string, unknown>>, url: URL): ClientMetadata {
  const { token_endpoint_auth_method: method = "none" } = document;
  if ((method !== "none" && method !== "private_key_jwt") || "client_secret" in document) {
    throw invalid("token_endpoint_auth_method must be none or private_key_jwt");
  }
  const members: Members = Object.fromEntries(Object.entries(document).filter(([, member]) => member !== null));
  const metadata = asStranger(readClientMetadata({ ...members, token_endpoint_auth_method: method }));
  const { redirectUris, postLogoutRedirectUris, jwksUri, backChannelLogoutUri } = metadata.configuration;
  const isAtHome = (uri: string): boolean => URL.parse(uri)?.origin === url.origin;
  if (!redirectUris.every((uri) => isAtHome(uri) || isLoopbackUri(uri))) {
    throw invalid("a redirect URI is neither at the origin of the document nor a loopback address");
  }
  if (!postLogoutRedirectUris.every(isAtHome)) {
    throw invalid("a post-logout redirect URI has another origin than the document");
  }
  // An untrusted client must not make this server send a request anywhere else.
  for (const [name, uri] of Object.entries({ jwks_uri: jwksUri, backchannel_logout_uri: backChannelLogoutUri })) {
    if (uri !== "" && !isAtHome(uri)) throw invalid(`${name} has another origin than the document`);
  }
  return { ...metadata, configuration: { ...metadata.configuration, requestUris: [] } };
}

// RFC 9111 §4.2.1: Cache-Control takes precedence over Expires.
function lifetimeOf(answer: OutboundResponse, now: number): number {
  const control = answer.header("cache-control") ?? "";
  if (/\bno-(?:store|cache)\b/i.test(control)) return shortest;
  const age = /\bmax-age=(\d{1,9})\b/i.exec(control)?.[1];
  const expires = answer.header("expires");
  if (age === undefined && expires === undefined) return unsaid;
  const said = age === undefined ? Date.parse(expires ?? "") - now : seconds(Number(age));
  // An invalid date counts as one in the past (RFC 9111 §5.3).
  return Number.isNaN(said) ? shortest : Math.min(longest, Math.max(shortest, said));
}

const invalid = (description: string): OAuthError => new OAuthError("invalid_client_metadata", description);
