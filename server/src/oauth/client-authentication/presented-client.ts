import { OAuthError } from "../../base/oauth-error.ts";
import { equalInConstantTime, Secret } from "../../base/secret.ts";
import type { Parameters } from "../parameters.ts";

/** The client credentials in a request, before verification. */
export type PresentedClient =
  | { readonly kind: "basic" | "post"; readonly clientId: string; readonly secret: Secret }
  | { readonly kind: "assertion"; readonly clientId: string | undefined; readonly assertion: string }
  | { readonly kind: "none"; readonly clientId: string };

type PresentedSecret = Extract<PresentedClient, { kind: "basic" | "post" }>;

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/**
 * Reads client credentials. Refuses two mechanisms at once (RFC 6749 §2.3), even if one of them is valid. The same
 * secret of the same client in header and body says one thing twice, as some libraries do, and is accepted.
 */
export function readPresentedClient(
  authorization: string | undefined,
  parameters: Parameters,
): PresentedClient | undefined {
  const basic = readBasic(authorization);
  const post = readPost(parameters);
  const secret = isSame(basic, post) ? basic : onlyOne(basic, post);
  const only = onlyOne(secret, readAssertion(parameters));
  const bodyClientId = parameters.get("client_id");
  if (only === undefined) return bodyClientId === undefined ? undefined : { kind: "none", clientId: bodyClientId };
  if (bodyClientId !== undefined && only.clientId !== undefined && bodyClientId !== only.clientId) {
    throw new OAuthError("invalid_request", "client_id differs from the client that authenticates");
  }
  return only.kind === "assertion" && bodyClientId !== undefined ? { ...only, clientId: bodyClientId } : only;
}

function isSame(basic: PresentedSecret | undefined, post: PresentedSecret | undefined): boolean {
  if (basic === undefined || post === undefined || basic.clientId !== post.clientId) return false;
  return equalInConstantTime(basic.secret.reveal(), post.secret.reveal());
}

function onlyOne(one: PresentedClient | undefined, other: PresentedClient | undefined): PresentedClient | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  throw new OAuthError("invalid_request", "more than one way of client authentication is used");
}

// RFC 6749 §2.3.1: id and secret are form-encoded before they become the username and password of RFC 7617.
function readBasic(authorization: string | undefined): PresentedSecret | undefined {
  if (authorization === undefined) return undefined;
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    throw new OAuthError("invalid_client", "the Authorization header is not Basic credentials");
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 1) throw new OAuthError("invalid_client", "the Basic credentials have no client id");
  return {
    kind: "basic",
    clientId: decodeForm(pair.slice(0, colon)),
    secret: new Secret(decodeForm(pair.slice(colon + 1))),
  };
}

function readAssertion(parameters: Parameters): PresentedClient | undefined {
  const assertion = parameters.get("client_assertion");
  const type = parameters.get("client_assertion_type");
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined) throw new OAuthError("invalid_request", "parameter client_assertion is missing");
  if (type !== assertionType) throw new OAuthError("invalid_request", `client_assertion_type must be ${assertionType}`);
  return { kind: "assertion", clientId: undefined, assertion };
}

function readPost(parameters: Parameters): PresentedSecret | undefined {
  const secret = parameters.get("client_secret");
  if (secret === undefined) return undefined;
  const clientId = parameters.get("client_id");
  if (clientId === undefined) throw new OAuthError("invalid_request", "parameter client_id is missing");
  return { kind: "post", clientId, secret: new Secret(secret) };
}

function decodeForm(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new OAuthError("invalid_client", "the Basic credentials are not form-encoded");
  }
}
