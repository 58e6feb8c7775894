import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { readAnswer } from "../../support/oidc/authorization-answer.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

// Every error × response type × response mode × with and without state: the answer takes the response mode that the
// client asked for, or the default of the response type, and always names the issuer.

const everything = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"],
};
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const responseTypes = ["code", "id_token", "id_token token", "token id_token"] as const;
const responseModes = [undefined, "query", "fragment", "form_post", "web_message"] as const;
const states = [undefined, "s-1 &=#<\"'>ü"] as const;

type Change = Readonly<Record<string, string | undefined>>;
interface Case {
  readonly name: string;
  readonly change: Change;
  readonly error: string;
  /** Response types for which it happens; all when absent. */
  readonly of?: readonly string[];
}

const implicit = ["id_token", "id_token token", "token id_token"];
const cases: readonly Case[] = [
  { name: "no scope", change: { scope: undefined }, error: "invalid_request" },
  { name: "an empty scope", change: { scope: "" }, error: "invalid_request" },
  { name: "a scope without openid", change: { scope: "profile" }, error: "invalid_scope" },
  { name: "a scope of other characters", change: { scope: 'openid "x"' }, error: "invalid_scope" },
  { name: "an unknown organization", change: { scope: "openid urn:service:iam:org:id:1" }, error: "invalid_scope" },
  { name: "none and an unknown one", change: { prompt: "none dance" }, error: "invalid_request" },
  { name: "none and login", change: { prompt: "none login" }, error: "invalid_request" },
  { name: "none and consent", change: { prompt: "consent none" }, error: "invalid_request" },
  { name: "none and select_account", change: { prompt: "none select_account" }, error: "invalid_request" },
  { name: "none and create", change: { prompt: "none create" }, error: "invalid_request" },
  { name: "none without a session", change: { prompt: "none" }, error: "login_required" },
  { name: "a max_age that is no number", change: { max_age: "soon" }, error: "invalid_request" },
  { name: "a negative max_age", change: { max_age: "-1" }, error: "invalid_request" },
  { name: "a nonce that is too long", change: { nonce: "n".repeat(2_000) }, error: "invalid_request" },
  { name: "no nonce in the front channel", change: { nonce: undefined }, error: "invalid_request", of: implicit },
  { name: "an empty nonce", change: { nonce: "" }, error: "invalid_request", of: implicit },
  { name: "a request_uri", change: { request_uri: "https://app.example/r" }, error: "request_uri_not_supported" },
  {
    name: "an unsigned request object",
    change: { request: "eyJhbGciOiJub25lIn0.e30." },
    error: "request_not_supported",
  },
  { name: "a request object that is none", change: { request: "x" }, error: "invalid_request_object" },
  {
    name: "a request object and a request_uri",
    change: { request: "x", request_uri: "https://app.example/r" },
    error: "invalid_request",
  },
  { name: "the plain method", change: { code_challenge_method: "plain" }, error: "invalid_request", of: ["code"] },
  { name: "no method", change: { code_challenge_method: undefined }, error: "invalid_request", of: ["code"] },
  { name: "no challenge", change: { code_challenge: undefined }, error: "invalid_request", of: ["code"] },
];

/** What the standards say about the mode (Multiple Response Types §2.1, §5; Form Post Response Mode). */
function expectedMode(responseType: string | undefined, requested: string | undefined): string {
  const hasTokens = responseType?.split(" ").some((word) => word === "token" || word === "id_token") === true;
  const fallback = hasTokens ? "fragment" : "query";
  if (requested === "form_post" || requested === "fragment") return requested;
  return requested === "query" && !hasTokens ? "query" : fallback;
}

async function expectError(
  server: OidcServer,
  client: { readonly clientId: string; readonly redirectUri: string },
  change: Change,
  error: string,
): Promise<void> {
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: "openid",
    nonce: "n-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...change,
  };
  const sent = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const label = JSON.stringify(change);
  const response = await fetch(`${server.origin}/oauth/v2/authorize?${new URLSearchParams(sent)}`, {
    redirect: "manual",
  });
  const answer = await readAnswer(response);
  assert.ok(answer, `${label}: ${response.status} and no answer`);
  assert.equal(response.headers.get("cache-control"), "no-store", label);
  assert.equal(answer.mode, expectedMode(parameters.response_type, change["response_mode"]), label);
  assert.equal(answer.target, client.redirectUri, label);
  const { error_description: description, ...rest } = answer.parameters;
  const { state } = change;
  assert.deepEqual(rest, { error, ...(state !== undefined && { state }), iss: server.origin }, label);
  assert.match(description ?? "", /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, label);
}

test("every error is sent in the response mode that was asked for, with the state that was sent and with iss", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient(everything);
  let count = 0;
  for (const { change, error, of = responseTypes } of cases) {
    for (const response_type of of) {
      for (const response_mode of responseModes) {
        for (const state of states) {
          await expectError(server, client, { ...change, response_type, response_mode, state }, error);
          count++;
        }
      }
    }
  }
  assert.ok(count > 700, `${count} answers`);
});

test("a response type that is missing, unknown or not the client's is an error of its own, in the response mode of its words", async (t) => {
  const server = await startOidcServer(t);
  const all = await server.createClient(everything);
  const unknown = [
    "token",
    "code token",
    "code id_token",
    "code id_token token",
    "none",
    "device",
    "code code",
    "CODE",
  ];
  for (const response_mode of responseModes) {
    for (const state of states) {
      const given = { response_mode, state };
      for (const response_type of unknown) {
        await expectError(server, all, { ...given, response_type }, "unsupported_response_type");
      }
      await expectError(server, all, { ...given, response_type: undefined }, "invalid_request");
      for (const response_type of implicit) {
        await expectError(server, server.client, { ...given, response_type }, "unauthorized_client");
      }
    }
  }
});

test("a client without the grant of its response type may not use it", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({
    responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
    grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
  });
  await expectError(server, client, { response_type: "code", state: "s" }, "unauthorized_client");
  await expectError(server, client, { response_type: "id_token token", state: "s" }, "unauthorized_client");
});
