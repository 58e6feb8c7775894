import { hash } from "node:crypto";
import { standardScopes } from "../authority/index.ts";
import type { Language } from "../base/language.ts";
import { proofAlgorithms } from "../bearer/index.ts";
import { idTokenAlgorithms } from "../domain/oidc-configuration/index.ts";
import { supportedContexts } from "../domain/session/index.ts";
import { loginSettingsOf, spokenLanguages } from "../domain/settings/index.ts";
import { allowsSignUp } from "../domain/sign-up/index.ts";
import { endpointPaths, type WebHandler } from "../web/index.ts";
import { supportedResponseTypes } from "./authorize/checks/response-type.ts";
import { requestObjectAlgorithms } from "./authorize/request-object.ts";
import { userClaimNames } from "./claims/user-claims.ts";
import { assertionRules } from "./client-authentication/assertion-rules.ts";
import type { OAuthDeps } from "./deps.ts";
import { responseModes } from "./response-mode/response-mode.ts";

const secretMethods = ["client_secret_basic", "client_secret_post"] as const;
const assertionAlgorithms = assertionRules.algorithms;

/** Creates the discovery document (OpenID Connect Discovery §3). It lists only what is supported. */
export function createDiscoveryEndpoint(
  deps: Pick<OAuthDeps, "settings" | "defaultOrganizationIdOf" | "isStrict">,
  grantTypes: readonly string[],
): WebHandler {
  const prebuilt = new Map<string, { body: string; etag: string }>();
  return async (request) => {
    const { origin, instanceId } = request.instance;
    const { settings } = await deps.settings.getCommitted("security", { instanceId });
    const { enabled, allowAnyUrl, allowedUrls } = settings.clientIdMetadataDocument;
    const registration = settings.dynamicClientRegistration.enabled;
    const documents = enabled && (allowAnyUrl || allowedUrls.length > 0);
    const organizationId = await deps.defaultOrganizationIdOf(instanceId);
    const signUp = allowsSignUp(await loginSettingsOf(deps, { instanceId }, { organizationId }));
    const languages = spokenLanguages((await deps.settings.get("general", { instanceId })).settings);
    const key = `${origin} ${registration} ${documents} ${signUp} ${languages.join(" ")}`;
    let document = prebuilt.get(key);
    if (document === undefined) {
      if (prebuilt.size > 1_000) prebuilt.clear();
      const body = JSON.stringify(
        buildDocument(origin, { grantTypes, isStrict: deps.isStrict, registration, documents, signUp, languages }),
      );
      document = { body, etag: `"${hash("sha256", body, "base64url").slice(0, 22)}"` };
      prebuilt.set(key, document);
    }
    const headers = {
      "content-type": "application/json",
      "cache-control": "public, max-age=300, must-revalidate",
      "x-content-type-options": "nosniff",
      etag: document.etag,
    };
    if (request.header("if-none-match") === document.etag) return { status: 304, headers };
    return { status: 200, headers, body: document.body };
  };
}

interface Served {
  readonly grantTypes: readonly string[];
  /** The strict profile answers no request with tokens in an address. */
  readonly isStrict: boolean;
  readonly registration: boolean;
  readonly documents: boolean;
  readonly signUp: boolean;
  readonly languages: readonly Language[];
}

function buildDocument(origin: string, served: Served): object {
  const { grantTypes, isStrict, registration, documents, signUp, languages } = served;
  const at = (path: string): string => origin + path;
  return {
    issuer: origin,
    authorization_endpoint: at(endpointPaths.authorization),
    pushed_authorization_request_endpoint: at(endpointPaths.pushedAuthorization),
    require_pushed_authorization_requests: false,
    token_endpoint: at(endpointPaths.token),
    device_authorization_endpoint: at(endpointPaths.deviceAuthorization),
    introspection_endpoint: at(endpointPaths.introspection),
    userinfo_endpoint: at(endpointPaths.userinfo),
    revocation_endpoint: at(endpointPaths.revocation),
    end_session_endpoint: at(endpointPaths.endSession),
    jwks_uri: at(endpointPaths.keys),
    ...(registration && { registration_endpoint: at(endpointPaths.registration) }),
    ...(documents && { client_id_metadata_document_supported: true }),
    scopes_supported: standardScopes,
    response_types_supported: isStrict ? ["code"] : supportedResponseTypes,
    response_modes_supported: responseModes,
    grant_types_supported: isStrict ? grantTypes : [...grantTypes, "implicit"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: idTokenAlgorithms,
    userinfo_signing_alg_values_supported: idTokenAlgorithms,
    token_endpoint_auth_methods_supported: ["none", ...secretMethods, "private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: ["none", ...secretMethods, "private_key_jwt"],
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: ["client_secret_basic", "private_key_jwt"],
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    dpop_signing_alg_values_supported: proofAlgorithms,
    acr_values_supported: supportedContexts,
    claims_supported: claimsSupported,
    claims_parameter_supported: true,
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "select_account", ...(signUp ? ["create"] : []), "consent"],
    ui_locales_supported: languages,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: requestObjectAlgorithms,
    request_uri_parameter_supported: registration,
    ...(registration && { require_request_uri_registration: true }),
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  };
}

const claimsSupported = [
  "sub",
  "aud",
  "exp",
  "iat",
  "iss",
  "auth_time",
  "nonce",
  "acr",
  "amr",
  "at_hash",
  "sid",
  "azp",
  ...userClaimNames,
];
