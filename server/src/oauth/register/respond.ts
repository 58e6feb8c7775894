import type { OAuthError } from "../../base/oauth-error.ts";
import type { Application } from "../../domain/application/index.ts";
import type { Registration } from "../../domain/registration/index.ts";
import { endpointPaths, type WebRequest, type WebResponse } from "../../web/index.ts";
import { bearerErrorResponse, json, oauthErrorResponse, resourceErrorResponse } from "../respond.ts";

/**
 * Describes a registered client in the terms of RFC 7591 §3.2.1: its metadata, with our defaults, and its management
 * address.
 */
export function describeRegistration(origin: string, registration: Registration, application: Application): object {
  const { clientId, clientName, createdAt, metadata } = registration;
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(createdAt / 1000),
    registration_client_uri: `${origin}${endpointPaths.registration}/${clientId}`,
    ...describeConfiguration(application),
    ...(clientName !== undefined && { client_name: clientName }),
    ...metadata,
  };
}

function describeConfiguration(application: Application): object {
  if (application.kind !== "oidc") return {};
  const { configuration } = application;
  return {
    redirect_uris: configuration.redirectUris,
    response_types: configuration.responseTypes,
    grant_types: configuration.grantTypes,
    application_type: configuration.applicationType,
    token_endpoint_auth_method: configuration.authMethod,
    post_logout_redirect_uris: configuration.postLogoutRedirectUris,
    id_token_signed_response_alg: configuration.idTokenAlgorithm,
    subject_type: "public",
    ...(configuration.userinfoAlgorithm !== "" && { userinfo_signed_response_alg: configuration.userinfoAlgorithm }),
    ...(configuration.jwks.length > 0 && { jwks: { keys: configuration.jwks } }),
    ...(configuration.jwksUri !== "" && { jwks_uri: configuration.jwksUri }),
    ...(configuration.requestUris.length > 0 && { request_uris: configuration.requestUris }),
    ...(configuration.defaultAcrValues.length > 0 && { default_acr_values: configuration.defaultAcrValues }),
    ...(configuration.isPushRequired && { require_pushed_authorization_requests: true }),
    ...(configuration.isDpopRequired && { dpop_bound_access_tokens: true }),
    ...(configuration.isRequestObjectRequired && { require_signed_request_object: true }),
    ...(configuration.isPkceRequired && { require_pkce: true }),
    ...(configuration.isRotationOff && { refresh_token_rotation_disabled: true }),
    ...(configuration.assertionAudience !== "default" && {
      client_assertion_audience: configuration.assertionAudience,
    }),
    ...(configuration.profile !== "" && { security_profile: configuration.profile }),
    ...(configuration.initiateLoginUri !== "" && { initiate_login_uri: configuration.initiateLoginUri }),
    ...(configuration.backChannelLogoutUri !== "" && { backchannel_logout_uri: configuration.backChannelLogoutUri }),
  };
}

/** Response of both endpoints while registration is off: as if they did not exist. */
export const notServed: WebResponse = json(404, {
  error: "invalid_request",
  error_description: "there is nothing at this address",
});

/** The client does not exist, or is not active (RFC 7592 §2). */
export const clientGone: WebResponse = json(404, {
  error: "invalid_client",
  error_description: "the client does not exist or is not active",
});

/** Formats a refusal: with a challenge when the token or its proof was wrong (RFC 6750 §3, RFC 9449 §7.1). */
export function registrationError(error: OAuthError, { instance }: Pick<WebRequest, "instance">): WebResponse {
  if (error.code === "invalid_dpop_proof" || error.code === "use_dpop_nonce") {
    return resourceErrorResponse(error, instance.origin);
  }
  return error.code === "invalid_token" || error.code === "insufficient_scope"
    ? bearerErrorResponse(error)
    : oauthErrorResponse(error);
}

/** Too many clients of strangers; says when there will be room again. */
export function tooMany(seconds: number): WebResponse {
  const body = { error: "temporarily_unavailable", error_description: "too many clients were registered" };
  return json(429, body, { "retry-after": String(seconds) });
}

/** Registration is on, but the organization or the project of the registered clients is deactivated. */
export const closed: WebResponse = json(403, {
  error: "access_denied",
  error_description: "clients cannot be registered in this organization",
});
