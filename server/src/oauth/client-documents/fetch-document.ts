import { minutes, seconds } from "../../base/clock.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { type Outbound, OutboundError, type OutboundResponse } from "../../base/outbound/index.ts";
import { OAuthError } from "../error.ts";
import { asStranger, type ClientMetadata, readClientMetadata } from "../register/client-metadata.ts";
import type { Members } from "../register/members.ts";

/** The result of a fetch, and its lifetime in milliseconds. */
export interface FetchedDocument {
  /** Absent when there is no valid document: callers do not learn the reason. */
  readonly metadata: ClientMetadata | undefined;
  readonly lifetime: number;
}

const longest = minutes(15);
// The token endpoint needs the document shortly after the authorization endpoint; without a minimum each sign-in would
// fetch twice.
const shortest = seconds(10);
const unsaid = minutes(5);
const failed: FetchedDocument = { metadata: undefined, lifetime: minutes(1) };

/** Fetches the metadata document of a client (draft-ietf-oauth-client-id-metadata-document) through the guard. */
export async function fetchDocument(outbound: Outbound, url: URL, now: number): Promise<FetchedDocument> {
  try {
    const answer = await outbound({ url: url.href, headers: { accept: "application/json" }, maximumBytes: 102_400 });
    if (answer.status !== 200) return failed;
    return { metadata: readDocument(parseJson(answer.body), url), lifetime: lifetimeOf(answer, now) };
  } catch (error) {
    if (error instanceof OutboundError || error instanceof JsonError || error instanceof OAuthError) return failed;
    throw error;
  }
}

/**
 * Reads a document. It must name its own address, belong to a public client (no secret was ever agreed with this
 * server), and redirect users only to the origin that it came from.
 */
function readDocument(document: unknown, url: URL): ClientMetadata {
  if (!isRecord(document) || document["client_id"] !== url.href) throw invalid("client_id is not this address");
  const { token_endpoint_auth_method: method = "none" } = document;
  if (method !== "none" || "client_secret" in document) throw invalid("only public clients have a document");
  const members: Members = Object.fromEntries(Object.entries(document).filter(([, member]) => member !== null));
  const metadata = asStranger(readClientMetadata({ ...members, token_endpoint_auth_method: "none" }));
  const { redirectUris, postLogoutRedirectUris } = metadata.configuration;
  const isAtHome = [...redirectUris, ...postLogoutRedirectUris].every((uri) => URL.parse(uri)?.origin === url.origin);
  if (!isAtHome) throw invalid("a redirect URI has another origin than the document");
  // The document itself was fetched; an untrusted client cannot cause further fetches.
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
