import { endpointPaths } from "../../../web/index.ts";
import type { Guide } from "./guide.ts";

const introspect: Guide = {
  name: "introspect",
  part: "oauth",
  title: "Introspect",
  address: `POST ${endpointPaths.introspection}`,
  lead: "Says what a token stands for, as long as it is valid (RFC 7662). For APIs that receive tokens.",
  sections: [
    {
      title: "Authentication",
      text: [
        "By Basic or by an assertion (`private_key_jwt`), never by a secret in the body. Public clients may not ask.",
      ],
    },
    { title: "Parameters", rows: [["token", "The access token.", "required"]] },
    {
      title: "Example",
      call: {
        verb: "POST",
        path: endpointPaths.introspection,
        headers: {},
        isByClient: true,
        form: [["token", "$TOKEN"]],
      },
      answer: {
        active: true,
        sub: "321985042712345678",
        client_id: "321985042787654321",
        scope: "openid profile",
        aud: ["321985042787654321"],
        iss: "https://id.example.com",
        iat: 1_773_480_413,
        exp: 1_773_523_613,
        token_type: "Bearer",
      },
    },
    {
      title: "Errors",
      text: ['A token that is invalid, or not meant for the caller, is `{"active": false}` and nothing else.'],
      rows: [
        ["invalid_request", "The token is missing."],
        ["invalid_client", "Client authentication failed. Status 401."],
      ],
    },
  ],
};

const revoke: Guide = {
  name: "revoke",
  part: "oauth",
  title: "Revoke",
  address: `POST ${endpointPaths.revocation}`,
  lead: "Ends an access token or a refresh token (RFC 7009). With a refresh token, everything that came from its sign-in ends.",
  sections: [
    {
      title: "Authentication",
      text: ["As at the token endpoint. A client can only revoke what it was given itself."],
    },
    { title: "Parameters", rows: [["token", "The token.", "required"]] },
    {
      title: "Example",
      text: ["The answer is empty, with status 200, also when the token was unknown or had expired."],
      call: {
        verb: "POST",
        path: endpointPaths.revocation,
        headers: {},
        isByClient: true,
        form: [["token", "$REFRESH_TOKEN"]],
      },
    },
    {
      title: "Errors",
      rows: [
        ["invalid_request", "The token is missing."],
        ["invalid_client", "Client authentication failed, or the token is another client's. Status 401."],
      ],
    },
  ],
};

const userinfo: Guide = {
  name: "userinfo",
  part: "oauth",
  title: "Userinfo",
  address: `GET, POST ${endpointPaths.userinfo}`,
  lead: "Claims about the user of an access token (OpenID Connect Core §5.3): those that its scopes allow.",
  sections: [
    {
      title: "Example",
      call: { verb: "GET", path: endpointPaths.userinfo, headers: { authorization: "Bearer $ACCESS_TOKEN" } },
      answer: {
        sub: "321985042712345678",
        name: "Ada Lovelace",
        given_name: "Ada",
        family_name: "Lovelace",
        preferred_username: "ada@acme.example.com",
        locale: "en",
        email: "ada@example.com",
        email_verified: true,
      },
    },
    {
      title: "Errors",
      rows: [["invalid_token", "The token is invalid, or has no user. Status 401, with `www-authenticate`."]],
    },
  ],
};

const endSession: Guide = {
  name: "end-session",
  part: "oauth",
  title: "End session",
  address: `GET, POST ${endpointPaths.endSession}`,
  lead: "Signs the user out of this browser, and sends it back (OpenID Connect RP-Initiated Logout 1.0). This is an address for browsers, not for programs.",
  sections: [
    {
      title: "Parameters",
      rows: [
        ["id_token_hint", "The id token of the sign-in. With it, and in the same browser, nothing is asked."],
        ["client_id", "The application, if there is no id token."],
        ["post_logout_redirect_uri", "Where to go afterwards: exactly as it is registered."],
        ["state", "Comes back unchanged."],
        ["ui_locales", "Languages of the page."],
      ],
    },
    {
      title: "Example",
      text: ["Open this in a browser."],
      answer: `${endpointPaths.endSession}?id_token_hint=$ID_TOKEN
  &post_logout_redirect_uri=https%3A%2F%2Fapp.example.com%2F
  &state=af0ifjsldkj`,
    },
    {
      title: "Errors",
      text: ["They end on a page: a browser is redirected only to an address that the client registered."],
    },
  ],
};

const keys: Guide = {
  name: "keys",
  part: "oauth",
  title: "Keys",
  address: `GET ${endpointPaths.keys}`,
  lead: "The public keys that id tokens and JWT access tokens are signed with (RFC 7517). Cache them as long as `cache-control` says, and read them again when a token names an unknown `kid`.",
  sections: [
    {
      title: "Example",
      call: { verb: "GET", path: endpointPaths.keys, headers: {} },
      answer: { keys: [{ kty: "RSA", use: "sig", alg: "RS256", kid: "321985042700000001", n: "<value>", e: "AQAB" }] },
    },
  ],
};

const register: Guide = {
  name: "register",
  part: "oauth",
  title: "Register a client",
  address: `POST ${endpointPaths.registration}`,
  lead: "Clients that register themselves (RFC 7591), and manage that at the address that they get (RFC 7592). Only where an administrator of the instance allows it.",
  sections: [
    {
      title: "Example",
      call: {
        verb: "POST",
        path: endpointPaths.registration,
        headers: { authorization: "Bearer $DOORWARD_TOKEN" },
        json: { client_name: "Portal", redirect_uris: ["https://app.example.com/callback"], application_type: "web" },
      },
    },
    {
      title: "Errors",
      rows: [
        ["invalid_redirect_uri", "An address is missing or not accepted."],
        ["invalid_client_metadata", "Another value is not accepted."],
        ["invalid_token", "The token is missing or invalid. Status 401."],
        ["insufficient_scope", "The caller may not register clients. Status 403."],
      ],
    },
  ],
};

/** What follows a sign-in. */
export const laterEndpoints: readonly Guide[] = [introspect, revoke, userinfo, endSession, keys, register];
