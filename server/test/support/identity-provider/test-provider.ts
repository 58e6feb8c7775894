import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { type Received, startReceiver } from "../http/receiver.ts";
import { goodJwt, type Json, testKeyPair } from "../oidc/signed-jose.ts";

/** An identity provider of a few lines; a test can change every word of it. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientSecret: string;
  /** Additional claims of an id token; an undefined member removes the claim. */
  claims: Json;
  /** Answer of userinfo and of the user endpoint. */
  user: Json;
  /** Answer of `/user/emails`; 404 when absent. */
  emails: unknown;
  /** Members of the discovery document to be changed. */
  metadata: Json;
  /** Members of the answer of the token endpoint to be changed. */
  tokens: Json;
  /** Makes the id token from its claims; correctly signed when absent. */
  makeIdToken: ((claims: Json) => string) | undefined;
  /** Keys in the published set besides the signing key, or instead of it. */
  keys: readonly Json[] | undefined;
  /** Answers by themselves, by path (`/token`): whatever can go over the wire. */
  readonly answers: Map<string, (response: ServerResponse, request: Received) => void>;
  readonly received: readonly Received[];
  /** Signs in the user who was sent there, and returns where the browser goes then. */
  signIn(url: string): URL;
  /** Returns a token signed like the provider's, with other claims. */
  sign(claims: Json, header?: Json): string;
  readonly key: { readonly header: { readonly alg: "RS256"; readonly kid: string } } & ReturnType<typeof testKeyPair>;
}

const pair = testKeyPair("RS256");

/** The key that signs, as it is published. */
export const publishedKey: Json = { ...pair.publicKey.export({ format: "jwk" }), kid: "test", use: "sig" };

/** Starts one provider; `now` is the time on its clock. */
export async function startTestProvider(t: TestContext, now: () => number): Promise<TestProvider> {
  const { add } = await startTestProviders(t, now);
  return add("");
}

/** Starts a server for many providers that know nothing of one another: `add("/a")` is the one at that path. */
export async function startTestProviders(
  t: TestContext,
  now: () => number,
): Promise<{ add(path: string): TestProvider }> {
  const receiver = await startReceiver(t);
  const realms = new Map<string, ReturnType<typeof createRealm>>();
  receiver.answer = (request: Received, response: ServerResponse): void => {
    const { pathname } = new URL(request.path, receiver.origin);
    const [path, realm] = [...realms].find(([each]) => pathname.startsWith(`${each}/`)) ?? ["", undefined];
    if (realm === undefined) response.writeHead(404).end();
    else realm.answer(pathname.slice(path.length), request, response);
  };
  return {
    add: (path) => {
      const realm = createRealm(receiver.origin + path, receiver.received, now);
      realms.set(path, realm);
      return realm.provider;
    },
  };
}

function createRealm(issuer: string, received: readonly Received[], now: () => number) {
  const codes = new Map<string, URLSearchParams>();
  const key = { header: { alg: "RS256" as const, kid: "test" }, ...pair };
  const seconds = () => Math.floor(now() / 1000);
  const sign: TestProvider["sign"] = (claims, header = {}) =>
    goodJwt({ ...key, header: { ...key.header, ...header }, claims });
  const provider: TestProvider = {
    issuer,
    clientSecret: "provider-secret",
    claims: {},
    metadata: {},
    tokens: {},
    emails: undefined,
    key,
    sign,
    makeIdToken: undefined,
    keys: undefined,
    answers: new Map(),
    received,
    user: {
      sub: "p-1",
      email: "pat@provider.example",
      email_verified: true,
      given_name: "Pat",
      family_name: "Provider",
    },
    signIn: (url) => {
      const request = new URL(url).searchParams;
      const code = randomUUID();
      codes.set(code, request);
      const back = new URL(request.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", request.get("state") ?? "");
      return back;
    },
  };
  const token = ({ body, headers }: Received) => {
    const form = new URLSearchParams(body);
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const basic = Buffer.from(headers.authorization?.slice(6) ?? "", "base64").toString();
    const isClient = basic === "doorward:provider-secret" || form.get("client_secret") === "provider-secret";
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isMeant =
      asked?.get("redirect_uri") === form.get("redirect_uri") && asked?.get("code_challenge") === challenge;
    if (!isClient || !isMeant) return { status: 400, body: { error: "invalid_grant" } };
    const standard = { iss: issuer, sub: provider.user["sub"], aud: "doorward", iat: seconds(), exp: seconds() + 300 };
    const claims = { ...standard, nonce: asked?.get("nonce") ?? undefined, ...provider.claims };
    const tokens = { access_token: "provider-access", token_type: "Bearer", refresh_token: "provider-refresh" };
    return { status: 200, body: { ...tokens, id_token: (provider.makeIdToken ?? sign)(claims), ...provider.tokens } };
  };
  const answerOf = (path: string, request: Received): { status: number; body: unknown } => {
    const ok = (body: unknown) => ({ status: body === undefined ? 404 : 200, body: body ?? {} });
    switch (path) {
      case "/.well-known/openid-configuration":
        return ok({ ...documentOf(issuer), ...provider.metadata });
      case "/keys":
        return ok({ keys: provider.keys ?? [publishedKey] });
      case "/token":
        return token(request);
      case "/user":
      case "/userinfo":
        assert.equal(request.headers.authorization, "Bearer provider-access");
        return ok(provider.user);
      case "/user/emails":
        return ok(provider.emails);
      default:
        return ok(undefined);
    }
  };
  const answer = (path: string, request: Received, response: ServerResponse): void => {
    const special = provider.answers.get(path);
    if (special === undefined) {
      const { status, body } = answerOf(path, request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    } else special(response, request);
  };
  return { provider, answer };
}

const documentOf = (issuer: string): Json => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
});
