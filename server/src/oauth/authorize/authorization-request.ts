import { OAuthError } from "../../base/oauth-error.ts";
import type { Client, ResponseType } from "../../domain/application/index.ts";
import type { ContextDemand } from "../../domain/session/index.ts";
import type { Parameters } from "../parameters.ts";
import { readResources } from "../read-resources.ts";
import { chooseResponseMode, type ResponseMode } from "../response-mode/response-mode.ts";
import { type ClaimsDemand, checkClaims, keepSupported } from "./check-claims.ts";
import { checkDpopThumbprint } from "./check-dpop.ts";
import { checkCodeChallenge } from "./check-pkce.ts";
import { checkMaxAge, checkPrompt, type Prompt } from "./check-prompt.ts";
import { checkScope } from "./check-scope.ts";
import { checkNonce, checkResponseType } from "./response-type.ts";

/** An authorization request that passed every check (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly responseMode: ResponseMode;
  /** As the client spelled it, without the dropped scopes. */
  readonly scope: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  /** Thumbprint of the key that must be proven when the code is redeemed. */
  readonly dpopThumbprint: string | undefined;
  /** Resources for which the tokens are requested. */
  readonly resources: readonly string[];
  readonly prompt: ReadonlySet<Prompt>;
  /** Seconds. */
  readonly maxAge: number | undefined;
  readonly loginHint: string | undefined;
  readonly idTokenHint: string | undefined;
  readonly uiLocales: readonly string[];
  readonly claims: ClaimsDemand;
  /** What is asked of `acr`, in whichever way. */
  readonly context: ContextDemand;
}

const maximumLength = {
  state: 4_096,
  nonce: 1_024,
  login_hint: 512,
  ui_locales: 512,
  id_token_hint: 16_384,
  claims: 8_192,
} as const;

/** Runs the checks in order; the first failure is the response. Client and redirect URI were checked before. */
export function checkAuthorizationRequest(
  parameters: Parameters,
  known: { readonly client: Client; readonly redirectUri: string; readonly namespaceAliases: readonly string[] },
): AuthorizationRequest {
  const { client, redirectUri, namespaceAliases } = known;
  // Parameters of a request object were merged before (request-object.ts); one that is left is not supported here.
  if (parameters.has("request")) throw new OAuthError("request_not_supported", "a request object is not expected here");
  if (parameters.has("request_uri")) {
    throw new OAuthError("request_uri_not_supported", "request objects by reference are not supported");
  }
  for (const [name, maximum] of Object.entries(maximumLength)) {
    const length = parameters.get(name)?.length ?? 0;
    if (length > maximum) throw new OAuthError("invalid_request", `parameter ${name} is too long`);
  }
  const responseType = checkResponseType(parameters, client);
  const resources = readResources(parameters);
  const hasResources = resources.length > 0;
  const requested = parameters.get("response_mode");
  const claims = checkClaims(parameters);
  return {
    client,
    redirectUri,
    responseType,
    responseMode: chooseResponseMode({ requested, responseType, redirectUri }),
    scope: checkScope(parameters, { client, responseType, namespaceAliases, hasResources }),
    // The challenge protects a code; without one there is nothing to protect.
    codeChallenge: responseType === "code" ? checkCodeChallenge(parameters, client) : undefined,
    nonce: checkNonce(parameters, responseType),
    dpopThumbprint: checkDpopThumbprint(parameters),
    resources,
    claims,
    context: claims.context ?? readContext(parameters, client),
    prompt: checkPrompt(parameters),
    maxAge: checkMaxAge(parameters),
    state: parameters.get("state"),
    loginHint: parameters.get("login_hint"),
    idTokenHint: parameters.get("id_token_hint"),
    uiLocales: readUiLocales(parameters),
  };
}

// The values of a registered client are its defaults (OpenID Connect Dynamic Client Registration §2).
function readContext(parameters: Parameters, { defaultAcrValues }: Client): ContextDemand {
  const asked = parameters.get("acr_values")?.split(" ") ?? defaultAcrValues;
  const acrValues = keepSupported(asked);
  return acrValues.length === 0 ? {} : { acrValues };
}

/** Returns the languages that the client requests, best first (OpenID Connect Core §3.1.2.1). */
export const readUiLocales = (parameters: Parameters): string[] =>
  (parameters.get("ui_locales") ?? "")
    .slice(0, maximumLength.ui_locales)
    .split(" ")
    .filter((locale) => locale !== "");
