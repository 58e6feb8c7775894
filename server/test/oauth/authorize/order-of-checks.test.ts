import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { readAnswer } from "../../support/oidc/authorization-answer.ts";
import { basicOf, type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";

// A request with two faults is answered with the first one in this order, at the authorization endpoint and where it is
// pushed: client and redirect URI, what could not be read, how it came, its parameters, what they name.

type Parameters = Record<string, string | undefined>;
interface Fault {
  readonly name: string;
  readonly spoil: (parameters: Parameters) => void;
  /** A part of the description. */
  readonly says: RegExp;
  /** Only at this endpoint. */
  readonly at?: "authorize";
}

const faults: readonly Fault[] = [
  {
    name: "a repeated parameter",
    spoil: (parameters) => (parameters["ui_locales"] = "twice"),
    says: /ui_locales is given more than once/,
    at: "authorize",
  },
  {
    name: "a request object that is none",
    spoil: (parameters) => (parameters["request"] = "x"),
    says: /the request object is not one|request and request_uri exclude/,
  },
  {
    name: "a reference to an object",
    spoil: (parameters) => (parameters["request_uri"] = "https://app.example/r"),
    says: /request objects by reference are not supported/,
    at: "authorize",
  },
  {
    name: "a parameter that is too long",
    spoil: (parameters) => (parameters["state"] = "s".repeat(5_000)),
    says: /parameter state is too long/,
  },
  {
    name: "an unknown response type",
    spoil: (parameters) => (parameters["response_type"] = "sparkles"),
    says: /the response type is not supported/,
  },
  {
    name: "a resource that is no address",
    spoil: (parameters) => (parameters["resource"] = "shop"),
    says: /an absolute https URI/,
  },
  {
    name: "claims that are no object",
    spoil: (parameters) => (parameters["claims"] = "[]"),
    says: /parameter claims is not a JSON object/,
  },
  {
    name: "a scope without openid",
    spoil: (parameters) => (parameters["scope"] = parameters["scope"]?.replace("openid", "profile")),
    says: /the scope must contain openid/,
  },
  {
    name: "the plain challenge",
    spoil: (parameters) => (parameters["code_challenge_method"] = "plain"),
    says: /code_challenge_method must be S256/,
  },
  {
    name: "a thumbprint that is none",
    spoil: (parameters) => (parameters["dpop_jkt"] = "key"),
    says: /dpop_jkt must be/,
  },
  {
    name: "none beside an unknown prompt",
    spoil: (parameters) => (parameters["prompt"] = "none dance"),
    says: /prompt none must/,
  },
  {
    name: "a max_age that is no number",
    spoil: (parameters) => (parameters["max_age"] = "soon"),
    says: /max_age must be/,
  },
  {
    name: "an unknown project",
    spoil: (parameters) => (parameters["scope"] += " urn:service:iam:org:project:id:1:aud"),
    says: /a project that does not exist/,
  },
  {
    name: "an unknown organization",
    spoil: (parameters) => (parameters["scope"] += " urn:service:iam:org:id:1"),
    says: /the organization of the scope is unknown/,
  },
  {
    name: "claims that leave no user",
    spoil: (parameters) => (parameters["claims"] = '{"id_token":{"sub":{"values":[]}}}'),
    says: /leave no user who could answer/,
    at: "authorize",
  },
];

const good = ({ clientId, redirectUri }: TestClient): Parameters => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "openid",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
});

/** A request with some faults; the earlier one is written last, so that it stays where two are of one parameter. */
function spoiled(client: TestClient, chosen: readonly Fault[], more: Parameters = {}): Record<string, string> {
  const parameters = { ...good(client), ...more };
  for (const { spoil } of chosen.toReversed()) spoil(parameters);
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

async function authorize(server: OidcServer, parameters: Record<string, string>): Promise<Response> {
  const query = new URLSearchParams(parameters);
  if (query.get("ui_locales") === "twice") query.append("ui_locales", "de");
  return fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
}

const pairs = (list: readonly Fault[]): (readonly [Fault, Fault])[] =>
  list.flatMap((first, index) => list.slice(index + 1).map((second) => [first, second] as const));

test("the authorization endpoint answers a request with two faults with the first of them", async (t) => {
  const server = await startOidcServer(t);
  for (const chosen of [...faults.map((one) => [one] as const), ...pairs(faults)]) {
    const answer = await readAnswer(await authorize(server, spoiled(server.client, chosen)));
    const what = chosen.map(({ name }) => name).join(", then ");
    assert.match(answer?.parameters["error_description"] ?? "", chosen[0].says, what);
  }
});

test("in the front channel the nonce is asked for after the scope and before the rest", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({
    responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
    grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
  });
  const isBefore = (name: string): boolean =>
    faults.findIndex((one) => one.name === name) <= faults.findIndex((one) => one.name === "a scope without openid");
  for (const fault of faults.filter(({ name }) => name !== "the plain challenge")) {
    const request = spoiled(client, [fault], { response_type: "id_token", code_challenge: undefined });
    const answer = await readAnswer(await authorize(server, request));
    const expected = isBefore(fault.name) ? fault.says : /parameter nonce is missing/;
    assert.match(answer?.parameters["error_description"] ?? "", expected, fault.name);
  }
});

test("client and redirect URI come before every fault, and are told on a page", async (t) => {
  const server = await startOidcServer(t);
  for (const wrong of [{ client_id: "1" }, { redirect_uri: "https://other.example/" }, { redirect_uri: undefined }]) {
    for (const fault of faults) {
      const answer = await authorize(server, spoiled(server.client, [fault], wrong));
      assert.equal(answer.headers.get("location"), null, `${JSON.stringify(wrong)}, then ${fault.name}`);
      assert.equal(answer.status, 400);
    }
  }
});

test("how a request has to come is asked after it was read, and before what it says", async (t) => {
  const server = await startOidcServer(t);
  const mustPush = await server.createClient({ requirePushedAuthorizationRequests: true });
  for (const fault of faults) {
    const answer = await readAnswer(await authorize(server, spoiled(mustPush, [fault])));
    const isUnread = ["a repeated parameter", "a request object that is none"].includes(fault.name);
    const expected = isUnread ? fault.says : /the client must push/;
    assert.match(answer?.parameters["error_description"] ?? "", expected, fault.name);
  }
});

test("a pushed request with two faults is refused with the first of them, in the same order", async (t) => {
  const server = await startOidcServer(t);
  const list = faults.filter(({ at }) => at === undefined);
  const push = async (parameters: Record<string, string>, headers: Record<string, string> = server.client.basic) => {
    const { body } = await server.form("/oauth/v2/par", parameters, headers);
    return body.error_description ?? "";
  };
  for (const chosen of [...list.map((one) => [one] as const), ...pairs(list)]) {
    const what = chosen.map(({ name }) => name).join(", then ");
    assert.match(await push(spoiled(server.client, chosen)), chosen[0].says, what);
  }
  for (const fault of list) {
    const elsewhere = { redirect_uri: "https://other.example/" };
    const said = await push(spoiled(server.client, [fault], elsewhere));
    // The object would hold the address.
    const isObject = fault.name === "a request object that is none";
    assert.match(said, isObject ? fault.says : /redirect_uri is not registered/, fault.name);
    const referring = spoiled(server.client, [fault], { request_uri: "urn:x" });
    assert.match(await push(referring), /a reference cannot be pushed/, fault.name);
    const { body } = await server.form("/oauth/v2/par", referring, basicOf(server.client.clientId, "x"));
    assert.equal(body.error, "invalid_client", fault.name);
  }
});
