import { endpointPaths } from "../../../web/index.ts";
import { apiScope, type Guide, type GuideCall, type GuideSection } from "./guide.ts";

type Form = NonNullable<GuideCall["form"]>;

const callWith = (form: Form, isByClient = true): GuideCall => ({
  verb: "POST",
  path: endpointPaths.token,
  headers: {},
  isByClient,
  form,
});

const grants: readonly GuideSection[] = [
  {
    title: "Authorization code",
    text: [
      "Redeems the code that the browser came back with. `offline_access` in the scope also gives a refresh token.",
    ],
    rows: [
      ["code", "The code.", "required"],
      ["redirect_uri", "As in the authorization request.", "required"],
      ["code_verifier", "The verifier of PKCE, where the request had a challenge."],
      ["client_id", "For a public client."],
    ],
    call: callWith([
      ["grant_type", "authorization_code"],
      ["code", "$CODE"],
      ["redirect_uri", "https://app.example.com/callback"],
      ["code_verifier", "$CODE_VERIFIER"],
    ]),
    answer: {
      access_token: "<value>",
      token_type: "Bearer",
      expires_in: 43_199,
      id_token: "<value>",
      refresh_token: "<value>",
      scope: "openid profile offline_access",
    },
  },
  {
    title: "Refresh token",
    text: [
      "Gives new tokens and a new refresh token; the old one is used up. Its reuse ends everything that came from the sign-in.",
    ],
    rows: [
      ["refresh_token", "The latest one.", "required"],
      ["scope", "Less than before, if not all is needed."],
    ],
    call: callWith([
      ["grant_type", "refresh_token"],
      ["refresh_token", "$REFRESH_TOKEN"],
    ]),
  },
  {
    title: "Client credentials",
    text: [
      "For service accounts: the client id is the username, and the secret goes by Basic or in the body. There is no refresh token and no id token.",
    ],
    rows: [["scope", `\`${apiScope}\` for this API. Without a scope, the token is for its own client.`]],
    call: callWith([
      ["grant_type", "client_credentials"],
      ["scope", `openid ${apiScope}`],
    ]),
  },
  {
    title: "JWT profile",
    text: ["For service accounts with a key (RFC 7523 §2.1): the assertion is the authentication."],
    rows: [
      [
        "assertion",
        "A JWT, signed by a key of the account: `iss` and `sub` are its id, `aud` is this issuer.",
        "required",
      ],
      ["scope", "What the token is for.", "required"],
    ],
    call: callWith(
      [
        ["grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
        ["assertion", "$ASSERTION"],
        ["scope", `openid ${apiScope}`],
      ],
      false,
    ),
  },
  {
    title: "Device code",
    text: ["Asks every `interval` seconds until the user has decided."],
    rows: [["device_code", "From the device authorization endpoint.", "required"]],
    call: callWith(
      [
        ["grant_type", "urn:ietf:params:oauth:grant-type:device_code"],
        ["client_id", "$CLIENT_ID"],
        ["device_code", "$DEVICE_CODE"],
      ],
      false,
    ),
  },
  {
    title: "Token exchange",
    text: ["Makes another token of one that the application has in its audience (RFC 8693). Rights never widen."],
    rows: [
      ["subject_token", "The token, or the id of the user with impersonation.", "required"],
      ["subject_token_type", "`urn:ietf:params:oauth:token-type:access_token`, `…:id_token`, `…:jwt`.", "required"],
      ["scope", "What the new token is for.", "required"],
      ["audience", "Whom it is for; may be given several times."],
      ["requested_token_type", "`urn:ietf:params:oauth:token-type:jwt` for one that others verify offline."],
      ["actor_token, actor_token_type", "Who acts for the user, where the instance allows impersonation."],
    ],
    call: callWith([
      ["grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"],
      ["subject_token", "$SUBJECT_TOKEN"],
      ["subject_token_type", "urn:ietf:params:oauth:token-type:access_token"],
      ["scope", "openid profile"],
    ]),
  },
];

/** The token endpoint with each of its grants. */
export const tokenEndpoint: Guide = {
  name: "token-endpoint",
  part: "oauth",
  title: "Token",
  address: `POST ${endpointPaths.token}`,
  lead: "Gives tokens for what a client has: a code, a refresh token, its own credentials, an assertion, a device code, or another token.",
  sections: [
    {
      title: "Authentication",
      text: [
        "The client authenticates in the way that it is registered with: its secret by Basic or in the body, or an assertion (`private_key_jwt`). A public client sends its `client_id` alone.",
        "A DPoP proof in the header `dpop` binds the tokens to its key (RFC 9449); `token_type` is then `DPoP`.",
      ],
    },
    ...grants,
    {
      title: "Errors",
      text: ["JSON with `error` and `error_description`, with status 400 where nothing else is said."],
      rows: [
        ["invalid_request", "A parameter is missing, given twice, or malformed."],
        ["invalid_client", "Client authentication failed. Status 401."],
        ["invalid_grant", "The code, token or assertion is wrong, used, expired, or another client's."],
        ["unauthorized_client", "The application may not use this grant."],
        ["unsupported_grant_type", "There is no such grant."],
        ["invalid_scope", "No scope of the request may be given."],
        ["invalid_target", "The resource or audience may not be named."],
        [
          "authorization_pending, slow_down, expired_token, access_denied",
          "A device: the user has not decided yet, it asks too often, the code is over, or the user refused.",
        ],
        ["invalid_dpop_proof, use_dpop_nonce", "The proof is not accepted; repeat it with the nonce of the answer."],
        ["temporarily_unavailable", "Too many requests; `retry-after` says when to come back. Status 503."],
      ],
    },
  ],
};
