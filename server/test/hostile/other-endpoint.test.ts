import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { basicOf, type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { goodJwt } from "../support/oidc/signed-jose.ts";
import { makeVerifiers, systemUserKey } from "./support/verifiers.ts";

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly body: any;
}

/** An endpoint that takes a secret or a token; `isTaken` says whether it did. */
interface Endpoint {
  readonly ask: (text: string) => Promise<Answer>;
  readonly isTaken: (answer: Answer) => boolean;
}

const isOk = ({ status }: Answer): boolean => status === 200;

test("a token or code that is valid at one endpoint is refused at every other, and trying does not spend it (CVE-2026-4282, RFC 8725 §3.11)", async (t) => {
  const { privateKey, publicKey } = systemUserKey();
  const keyFile = join(tmpdir(), `doorward-other-endpoint-${process.pid}.pem`);
  writeFileSync(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  t.after(() => rmSync(keyFile));
  const server = await startOidcServer(t, { config: { systemUsers: [{ userId: "ops", keyFile }] } });
  const things = await makeThings(server, privateKey);
  const endpoints = makeEndpoints(server, things);
  const texts: Readonly<Record<string, string>> = things.texts;
  for (const [what, text] of Object.entries(texts)) {
    for (const [where, { ask, isTaken }] of Object.entries(endpoints)) {
      if (goodAt[what]?.includes(where)) continue;
      // A value that a header field cannot hold never arrives there.
      const answer = await ask(text);
      assert.ok(!isTaken(answer), `${what} was taken as ${where}: ${JSON.stringify(answer.body)}`);
      assert.ok(answer.status < 500, `${what} as ${where}: ${answer.status}`);
    }
  }
  for (const [what, wheres] of Object.entries(goodAt)) {
    for (const where of wheres) {
      const endpoint = endpoints[where];
      const answer = await endpoint?.ask(texts[what] ?? "");
      assert.ok(answer && endpoint?.isTaken(answer), `${what} is refused as ${where}: ${JSON.stringify(answer)}`);
    }
  }
  assert.deepEqual(Object.keys(goodAt).sort(), Object.keys(texts).sort());
});

/** Where each secret is valid, in an order in which what ends others comes last. */
const goodAt: Readonly<Record<string, readonly string[]>> = {
  "authorization code": ["code"],
  "refresh token": ["refresh token"],
  "opaque access token": ["token to introspect", "bearer at userinfo", "bearer at our interface"],
  "JWT access token": ["token to introspect", "bearer at userinfo", "bearer at our interface"],
  "personal access token": ["token to introspect", "bearer at userinfo", "bearer at our interface"],
  "session token": ["bearer at our interface", "session token"],
  "system user's token": ["bearer at our interface", "bearer at the System API"],
  "client secret": ["client secret"],
  "client assertion": ["client assertion"],
  "service account's assertion": ["assertion"],
  "id token": ["id token hint"],
  "id of an authorization request": [],
  request_uri: [],
  "client id": [],
  "user id": [],
};

async function makeThings(server: OidcServer, systemUser: ReturnType<typeof systemUserKey>["privateKey"]) {
  const scope = "openid offline_access urn:service:iam:org:project:id:service:aud";
  const jwtClient = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const opaque = await server.tokens({ scope });
  const jwt = await server.tokens({ client: jwtClient, scope });
  const code = await server.signIn();
  const session = await server.signIn();
  const signed = Object.fromEntries(
    (await makeVerifiers(server, systemUser)).map(({ name, good }) => [name, goodJwt(good())]),
  );
  const query = { client_id: server.client.clientId, redirect_uri: server.client.redirectUri, response_type: "code" };
  const sent = await fetch(
    `${server.origin}/oauth/v2/authorize?${new URLSearchParams({ ...query, scope: "openid" })}`,
    {
      redirect: "manual",
    },
  );
  const authRequest = new URL(sent.headers.get("location") ?? "", server.origin).searchParams.get("authRequest");
  const pushed = await server.form("/oauth/v2/par", { ...query, scope: "openid" }, server.client.basic);
  const machine = { organizationId: server.organizationId, username: "stranger", machine: { name: "Stranger" } };
  const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
  const pat = await server.rest("POST", `/v2/users/${id}/pats`, { body: { expirationDate: "2100-01-01T00:00:00Z" } });
  return {
    code,
    session,
    /** Token of a caller who may not see the sessions of others. */
    stranger: pat.body.token as string,
    texts: {
      "authorization code": code.code,
      "refresh token": opaque["refresh_token"] ?? "",
      "opaque access token": opaque["access_token"] ?? "",
      "JWT access token": jwt["access_token"] ?? "",
      "id token": opaque["id_token"] ?? "",
      "personal access token": server.ownerToken,
      "session token": session.sessionToken,
      "client secret": server.client.clientSecret,
      "client assertion": signed["client assertion"] ?? "",
      "service account's assertion": signed["assertion of a service account"] ?? "",
      "system user's token": signed["token of a system user"] ?? "",
      "id of an authorization request": authRequest ?? "",
      request_uri: pushed.body.request_uri,
      "client id": server.client.clientId,
      "user id": server.user.userId,
    },
  };
}

function makeEndpoints(
  server: OidcServer,
  { code: { codeVerifier }, session: { sessionId }, stranger }: Awaited<ReturnType<typeof makeThings>>,
): Readonly<Record<string, Endpoint>> {
  const { client, form } = server;
  const token = "/oauth/v2/token";
  const bearer = (path: string): Endpoint => ({
    ask: (text) =>
      path.startsWith("service.")
        ? server.connect(path, {}, { token: text })
        : server.rest(path.startsWith("/system/") ? "POST" : "GET", path, {
            token: text,
            ...(path.startsWith("/system/") && { body: {} }),
          }),
    isTaken: isOk,
  });
  return {
    code: {
      ask: (code) =>
        form(
          token,
          { grant_type: "authorization_code", code, redirect_uri: client.redirectUri, code_verifier: codeVerifier },
          client.basic,
        ),
      isTaken: isOk,
    },
    "refresh token": {
      ask: (text) => form(token, { grant_type: "refresh_token", refresh_token: text }, client.basic),
      isTaken: isOk,
    },
    "token to introspect": {
      ask: (text) => form("/oauth/v2/introspect", { token: text }, client.basic),
      isTaken: ({ body }) => body?.active === true,
    },
    "bearer at userinfo": bearer("/oidc/v1/userinfo"),
    "bearer at our interface": bearer("service.user.v2.UserService/ListUsers"),
    "bearer at the System API": bearer("/system/v1/instances/_search"),
    "client secret": {
      ask: (secret) => form("/oauth/v2/introspect", { token: "x" }, basicOf(client.clientId, secret)),
      isTaken: isOk,
    },
    "client assertion": {
      ask: (assertion) =>
        form("/oauth/v2/introspect", {
          token: "x",
          client_assertion: assertion,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        }),
      isTaken: isOk,
    },
    assertion: {
      ask: (assertion) =>
        form(token, {
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          scope: "openid",
          assertion,
        }),
      isTaken: isOk,
    },
    "session token": {
      ask: (text) =>
        server.rest("GET", `/v2/sessions/${sessionId}?${new URLSearchParams({ sessionToken: text })}`, {
          token: stranger,
        }),
      isTaken: isOk,
    },
    "id token hint": {
      ask: async (text) => {
        const parameters = new URLSearchParams({ id_token_hint: text });
        const answer = await fetch(`${server.origin}/oidc/v1/end_session`, {
          method: "POST",
          redirect: "manual",
          body: parameters,
        });
        const location = answer.headers.get("location");
        return { status: answer.status, body: { location, text: (await answer.text()).slice(0, 200) } };
      },
      isTaken: ({ body }) => body.location?.startsWith("/ui/logout?client_id=") === true,
    },
  };
}
