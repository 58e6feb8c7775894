import { endpointPaths } from "../../../web/index.ts";
import type { Guide, GuideRow } from "./guide.ts";

const clientErrors: readonly GuideRow[] = [
  ["invalid_request", "A parameter is missing, given twice, or malformed."],
  ["invalid_client", "Client authentication failed. Status 401."],
  ["temporarily_unavailable", "Too many requests; `retry-after` says when to come back."],
];

const authenticationText =
  "The client authenticates in the way that it is registered with: its secret by Basic or in the body, or an assertion (`private_key_jwt`). A public client sends its `client_id` alone.";

const discovery: Guide = {
  name: "discovery",
  part: "oauth",
  title: "Discovery",
  address: `GET ${endpointPaths.discovery}`,
  lead: "Everything that a client library needs to know (OpenID Connect Discovery 1.0): give it the issuer, and it reads this document.",
  sections: [
    {
      title: "Example",
      call: { verb: "GET", path: endpointPaths.discovery, headers: {} },
    },
    {
      title: "Answer",
      text: ["The document lists only what is supported, for this host: the issuer is the origin that you ask."],
    },
  ],
};

const authorize: Guide = {
  name: "authorize",
  part: "oauth",
  title: "Authorize",
  address: `GET, POST ${endpointPaths.authorization}`,
  lead: "Sends the user's browser to sign in, and back to the application with a code (RFC 6749 §4.1, OpenID Connect Core §3.1.2). This is an address for browsers, not for programs.",
  sections: [
    {
      title: "Parameters",
      rows: [
        ["client_id", "The application.", "required"],
        ["response_type", "`code`. Others only where the application may use them.", "required"],
        ["redirect_uri", "Exactly as it is registered.", "required"],
        [
          "scope",
          "`openid`, and what else is needed: `profile`, `email`, `phone`, `offline_access` for a refresh token.",
          "required",
        ],
        [
          "code_challenge",
          "PKCE: the SHA-256 of the verifier, in base64url. Required of public clients, and of others that are configured so.",
        ],
        ["code_challenge_method", "`S256`, with a challenge."],
        ["state", "Comes back unchanged: ties the answer to this browser."],
        ["nonce", "Comes back in the id token."],
        ["prompt", "`none`, `login`, `select_account`, `consent`; `create` where users may register."],
        ["max_age", "How many seconds ago the user may have signed in at most."],
        ["login_hint", "A name to begin with."],
        ["id_token_hint", "The user who is expected."],
        ["acr_values", "How strongly the user signs in; `claims` can demand it."],
        ["claims", "Single claims (Core §5.5)."],
        ["ui_locales", "Languages of the pages, the best first."],
        ["response_mode", "`query`, `fragment` or `form_post`."],
        ["resource", "The API that the token is for (RFC 8707)."],
        ["dpop_jkt", "Thumbprint of the key that the code is bound to (RFC 9449)."],
        ["request_uri", "What the pushed request was answered with; then only `client_id` stands beside it."],
        ["request", "The parameters as a signed object (RFC 9101)."],
      ],
    },
    {
      title: "Example",
      text: ["Open this in a browser."],
      answer: `${endpointPaths.authorization}?client_id=$CLIENT_ID
  &response_type=code&scope=openid%20profile
  &redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback
  &state=af0ifjsldkj&nonce=n-0S6_WzA2Mj
  &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
  &code_challenge_method=S256`,
    },
    {
      title: "Answer",
      text: [
        "The browser comes back to `redirect_uri` with `code`, `state` and `iss`. Compare `iss` with the issuer (RFC 9207), and redeem the code at once: it lives for minutes and works once.",
      ],
    },
    {
      title: "Errors",
      text: [
        "A request with an unknown client or an address that is not registered ends on a page, never at the address. All others come back to the address as `error` and `error_description`.",
      ],
      rows: [
        ["invalid_request", "A parameter is missing, given twice, or malformed; or PKCE is missing."],
        ["unsupported_response_type", "The response type is unknown."],
        ["unauthorized_client", "The application may not use it."],
        ["invalid_scope", "No scope of the request is known."],
        ["invalid_target", "The resource is unknown."],
        ["access_denied", "The user, or an administrator, refused."],
        [
          "login_required, consent_required, interaction_required, account_selection_required",
          "With `prompt=none`: what a page would have to ask.",
        ],
        ["unmet_authentication_requirements", "The user cannot sign in as strongly as was demanded."],
        [
          "request_not_supported, request_uri_not_supported, invalid_request_object, invalid_request_uri",
          "The signed object or its address is not accepted.",
        ],
        ["temporarily_unavailable", "Too much at once; try again."],
      ],
    },
  ],
};

const pushed: Guide = {
  name: "par",
  part: "oauth",
  title: "Pushed request",
  address: `POST ${endpointPaths.pushedAuthorization}`,
  lead: "The client sends the parameters of its authorization request itself, and the browser carries only a reference (RFC 9126). Errors are known before the user is involved.",
  sections: [
    { title: "Authentication", text: [authenticationText] },
    {
      title: "Parameters",
      text: [
        "Those of the authorization endpoint, except `request_uri`. A DPoP proof in the header `dpop` binds the code to its key.",
      ],
    },
    {
      title: "Example",
      call: {
        verb: "POST",
        path: endpointPaths.pushedAuthorization,
        headers: {},
        isByClient: true,
        form: [
          ["response_type", "code"],
          ["redirect_uri", "https://app.example.com/callback"],
          ["scope", "openid profile"],
          ["state", "af0ifjsldkj"],
          ["code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
          ["code_challenge_method", "S256"],
        ],
      },
      answer: { request_uri: "urn:ietf:params:oauth:request_uri:<value>", expires_in: 90 },
    },
    {
      title: "Errors",
      rows: [
        ...clientErrors,
        ["invalid_request_object", "The signed object is not accepted, or was used before."],
        ["invalid_dpop_proof, use_dpop_nonce", "The proof is not accepted; repeat it with the nonce of the answer."],
        [
          "invalid_scope, invalid_target, unauthorized_client, unsupported_response_type",
          "As at the authorization endpoint.",
        ],
      ],
    },
  ],
};

const device: Guide = {
  name: "device",
  part: "oauth",
  title: "Device authorization",
  address: `POST ${endpointPaths.deviceAuthorization}`,
  lead: "For a device without a browser (RFC 8628): it shows a short code, the user types it elsewhere, and the device asks the token endpoint until that is done.",
  sections: [
    { title: "Authentication", text: [authenticationText] },
    {
      title: "Parameters",
      rows: [
        ["client_id", "For a public client.", "required"],
        ["scope", "`openid` by default."],
        ["resource", "The API that the token is for."],
      ],
    },
    {
      title: "Example",
      call: {
        verb: "POST",
        path: endpointPaths.deviceAuthorization,
        headers: {},
        form: [
          ["client_id", "$CLIENT_ID"],
          ["scope", "openid profile offline_access"],
        ],
      },
      answer: {
        device_code: "<value>",
        user_code: "BCDF-GHJK",
        verification_uri: "https://id.example.com/device",
        verification_uri_complete: "https://id.example.com/device?user_code=BCDF-GHJK",
        expires_in: 300,
        interval: 5,
      },
    },
    {
      title: "Errors",
      rows: [
        ...clientErrors,
        ["unauthorized_client", "The application may not use this grant."],
        ["invalid_scope", "No scope of the request is known."],
        ["invalid_target", "The resource is unknown."],
      ],
    },
  ],
};

/** How a sign-in begins. */
export const beginningEndpoints: readonly Guide[] = [discovery, authorize, pushed, device];
