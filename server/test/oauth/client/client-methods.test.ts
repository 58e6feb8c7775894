import assert from "node:assert/strict";
import { test } from "node:test";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { assertionType, createKeyedClient, type KeyedClient, signAssertion } from "../../support/oidc/assertions.ts";
import {
  basicOf,
  type FormAnswer,
  type OidcServer,
  startOidcServer,
  type TestClient,
} from "../../support/oidc/oidc.ts";

// Every way to send a client's credentials × every way a client is configured × every endpoint that authenticates
// clients.

type Configured = "basic" | "post" | "none" | "assertion";
type Sent = "basic" | "post" | "id" | "assertion" | "nothing";
type Proof = { readonly parameters: Record<string, string>; readonly headers?: Record<string, string> };

const configuredAs = ["basic", "post", "none", "assertion"] as const satisfies readonly Configured[];
const sentProofs = ["basic", "post", "id", "assertion", "nothing"] as const satisfies readonly Sent[];

interface Fixtures {
  readonly server: OidcServer;
  readonly clients: Readonly<Record<Configured, TestClient>>;
  readonly keyed: KeyedClient;
}

async function makeFixtures(server: OidcServer): Promise<Fixtures> {
  const keyed = await createKeyedClient(server);
  const method = (name: string) => ({ authMethodType: `OIDC_AUTH_METHOD_TYPE_${name}` });
  const clients = {
    basic: await server.createClient(method("BASIC")),
    post: await server.createClient(method("POST")),
    none: await server.createClient({ ...method("NONE"), applicationType: "OIDC_APP_TYPE_NATIVE" }),
    assertion: keyed.client,
  };
  return { server, clients, keyed };
}

function proofOf(fixtures: Fixtures, configured: Configured, sent: Sent): Proof {
  const { clientId, clientSecret } = fixtures.clients[configured];
  const secret = clientSecret === "" ? "secret-that-nobody-has" : clientSecret;
  switch (sent) {
    case "basic":
      return { parameters: {}, headers: basicOf(clientId, secret) };
    case "post":
      return { parameters: { client_id: clientId, client_secret: secret } };
    case "id":
      return { parameters: { client_id: clientId } };
    case "assertion":
      // A client without a key signs with another client's key.
      return { parameters: fixtures.keyed.proof({ iss: clientId, sub: clientId }) };
    case "nothing":
      return { parameters: {} };
    default:
      return sent satisfies never;
  }
}

/** Whether the proof is valid for the client: secrets go either way, and a public client only sends its id. */
const isProof: Readonly<Record<Configured, readonly Sent[]>> = {
  basic: ["basic", "post"],
  post: ["basic", "post"],
  none: ["basic", "post", "id"],
  assertion: ["assertion"],
};

/** Endpoints with a request that is valid except for the client, so that only its proof decides. */
const endpoints: readonly {
  readonly name: string;
  readonly path: string;
  readonly parameters: Record<string, string>;
  /** The answer once the client is authenticated. */
  readonly proven: { readonly status: number; readonly error?: string };
  isAccepted(configured: Configured, sent: Sent): boolean;
}[] = [
  {
    name: "token, refresh",
    path: "/oauth/v2/token",
    parameters: { grant_type: "refresh_token", refresh_token: "x" },
    proven: { status: 400, error: "invalid_grant" },
    isAccepted: (configured, sent) => isProof[configured].includes(sent),
  },
  {
    name: "token, code",
    path: "/oauth/v2/token",
    parameters: { grant_type: "authorization_code", code: "x", redirect_uri: "https://app.example/callback" },
    proven: { status: 400, error: "invalid_grant" },
    isAccepted: (configured, sent) => isProof[configured].includes(sent),
  },
  {
    name: "revocation",
    path: "/oauth/v2/revoke",
    parameters: { token: "x" },
    proven: { status: 200 },
    isAccepted: (configured, sent) => isProof[configured].includes(sent),
  },
  {
    name: "pushed authorization request",
    path: "/oauth/v2/par",
    parameters: {
      redirect_uri: "https://app.example/callback",
      response_type: "code",
      scope: "openid",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    },
    proven: { status: 201 },
    isAccepted: (configured, sent) => isProof[configured].includes(sent),
  },
  {
    name: "introspection",
    path: "/oauth/v2/introspect",
    parameters: { token: "x" },
    proven: { status: 200 },
    isAccepted: (configured, sent) =>
      configured !== "none" && (sent === "basic" || sent === "assertion") && isProof[configured].includes(sent),
  },
];

const send = (
  { server }: Fixtures,
  path: string,
  parameters: Record<string, string>,
  proof: Proof,
): Promise<FormAnswer> => server.form(path, { ...parameters, ...proof.parameters }, proof.headers);

enginesInTurn((engine, test) => {
  test("each configured method accepts its proof, at every endpoint, and no other", async (t) => {
    const fixtures = await makeFixtures(await startOidcServer(t, { engine }));
    for (const { name, path, parameters, proven, isAccepted } of endpoints) {
      for (const configured of configuredAs) {
        for (const sent of sentProofs) {
          const answer = await send(fixtures, path, parameters, proofOf(fixtures, configured, sent));
          const label = `${name}: a client of "${configured}" sends "${sent}"`;
          const expected = isAccepted(configured, sent) ? proven : { status: 401, error: "invalid_client" };
          assert.equal(answer.status, expected.status, `${label}: ${JSON.stringify(answer.body)}`);
          assert.equal(answer.body?.error, expected.error, label);
          assert.equal(answer.headers.get("cache-control"), "no-store", label);
          if (answer.status === 401) assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic realm=/, label);
        }
      }
    }
  });
});

const pairs = [
  ["basic", "assertion"],
  ["post", "assertion"],
] as const;

test("what no client may do", async (t) => {
  const fixtures = await makeFixtures(await startOidcServer(t));
  await t.test(
    "several mechanisms at once are invalid_request, at every endpoint, whichever would have been right",
    async () => {
      for (const { name, path, parameters } of endpoints) {
        for (const configured of configuredAs) {
          for (const [first, second] of pairs) {
            const [one, two] = [proofOf(fixtures, configured, first), proofOf(fixtures, configured, second)];
            const both = {
              parameters: { ...one.parameters, ...two.parameters },
              headers: { ...one.headers, ...two.headers },
            };
            const answer = await send(fixtures, path, parameters, both);
            const label = `${name}: a client of "${configured}" sends "${first}" and "${second}"`;
            assert.equal(answer.status, 400, label);
            assert.equal(answer.body.error, "invalid_request", label);
          }
        }
      }
    },
  );

  await t.test(
    "the same secret in header and body is one mechanism, and different ones are refused (Z11)",
    async () => {
      const { server, clients } = fixtures;
      for (const { name, path, parameters, proven } of endpoints) {
        for (const client of [clients.basic, clients.post]) {
          const inBody = (secret: string) => ({ ...parameters, client_id: client.clientId, client_secret: secret });
          const same = await server.form(path, inBody(client.clientSecret), client.basic);
          assert.equal(same.status, proven.status, `${name}: ${JSON.stringify(same.body)}`);
          assert.equal(same.body?.error, proven.error, name);
          const different = await server.form(path, inBody("another"), client.basic);
          assert.deepEqual([different.status, different.body.error], [400, "invalid_request"], name);
          const wrong = basicOf(client.clientId, "another");
          const twiceWrong = await server.form(path, inBody("another"), wrong);
          assert.deepEqual([twiceWrong.status, twiceWrong.body.error], [401, "invalid_client"], name);
          const other = await server.form(path, { ...inBody(client.clientSecret), client_id: "1" }, client.basic);
          assert.deepEqual([other.status, other.body.error], [400, "invalid_request"], name);
        }
      }
    },
  );

  await t.test(
    "a client that is named in two ways is invalid_request or refused, and never one of the two",
    async () => {
      const { server, clients, keyed } = fixtures;
      for (const { name, path, parameters } of endpoints) {
        const other = clients.post.clientId;
        const basic = await server.form(path, { ...parameters, client_id: other }, clients.basic.basic);
        assert.equal(basic.body.error, "invalid_request", name);
        const assertion = await server.form(path, { ...parameters, ...keyed.proof(), client_id: other });
        assert.equal(assertion.body.error, "invalid_client", name);
        const same = await server.form(path, { ...parameters, ...keyed.proof(), client_id: keyed.client.clientId });
        assert.notEqual(same.body?.error, "invalid_client", name);
      }
    },
  );

  await t.test("a repeated parameter is invalid_request, at every endpoint, whatever its values", async () => {
    for (const { name, path, parameters } of endpoints) {
      const sent = { ...parameters, ...proofOf(fixtures, "basic", "post").parameters };
      for (const repeated of [...Object.keys(sent), "unknown"]) {
        const body = new URLSearchParams(sent);
        body.append(repeated, sent[repeated as keyof typeof sent] ?? "x");
        if (repeated === "unknown") body.append(repeated, "x");
        const response = await fetch(fixtures.server.origin + path, { method: "POST", body });
        const label = `${name}: ${repeated} twice`;
        assert.equal(response.status, 400, label);
        assert.equal(((await response.json()) as { error: string }).error, "invalid_request", label);
      }
    }
  });

  await t.test("an assertion needs its type, and a type its assertion", async () => {
    const { client_assertion: assertion = "", client_assertion_type: type = "" } = fixtures.keyed.proof();
    const wrong: readonly Record<string, string>[] = [
      { client_assertion: assertion },
      {
        client_assertion: assertion,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
      },
      { client_assertion_type: type },
    ];
    for (const { name, path, parameters } of endpoints) {
      for (const parts of wrong) {
        const answer = await fixtures.server.form(path, { ...parameters, ...parts });
        assert.equal(answer.body.error, "invalid_request", `${name}: ${Object.keys(parts).join(" ")}`);
      }
    }
    // None of these requests spent the assertion.
    const answer = await fixtures.server.form("/oauth/v2/introspect", {
      token: "x",
      client_assertion: assertion,
      client_assertion_type: type,
    });
    assert.equal(answer.status, 200);
  });

  await t.test("only a form in the body is read: no JSON, no query, nothing malformed", async () => {
    const { server, clients } = fixtures;
    const sent = (path: string, init: RequestInit & { readonly headers?: Record<string, string> }) =>
      fetch(server.origin + path, { method: "POST", ...init, headers: { ...clients.basic.basic, ...init.headers } });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (const { name, path, parameters } of endpoints) {
      const text = new URLSearchParams(parameters).toString();
      const wrong: Readonly<Record<string, Promise<Response>>> = {
        "as JSON": sent(path, { headers: { "content-type": "application/json" }, body: JSON.stringify(parameters) }),
        "without a type": sent(path, { body: Buffer.from(text) }),
        "in the query": sent(`${path}?${text}`, { headers: form, body: "" }),
        "with half an escape": sent(path, { headers: form, body: `${text}&x=%4` }),
        "with a NUL": sent(path, { headers: form, body: `${text}&x=%00` }),
        "that is not UTF-8": sent(path, { headers: form, body: `${text}&x=%ff` }),
      };
      for (const [what, answering] of Object.entries(wrong)) {
        const answer = await answering;
        assert.equal(answer.status, 400, `${name} ${what}`);
        assert.equal(((await answer.json()) as { error: string }).error, "invalid_request", `${name} ${what}`);
      }
      assert.equal((await fetch(server.origin + path)).status, 405, name);
    }
  });

  await t.test("client_credentials take Basic and body, and no other mechanism", async () => {
    const { server } = fixtures;
    const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
    const key = await server.rest("POST", `/v2/users/${id}/keys`, { body: { expirationDate: "2100-01-01T00:00:00Z" } });
    const file = JSON.parse(Buffer.from(key.body.keyContent, "base64").toString("utf8"));
    const request = { grant_type: "client_credentials", scope: "openid" };
    const ask = (parameters: Record<string, string>, headers?: Record<string, string>) =>
      server.form("/oauth/v2/token", { ...request, ...parameters }, headers);
    const inBody = { client_id: "robot", client_secret: clientSecret };
    const assertion = signAssertion(server, { ...file, subject: id });
    const asAssertion = { client_assertion: assertion, client_assertion_type: assertionType };
    assert.equal((await ask({}, basicOf("robot", clientSecret))).status, 200);
    assert.equal((await ask(inBody)).status, 200);
    assert.equal((await ask({ client_id: "robot" })).body.error, "invalid_client");
    assert.equal((await ask(asAssertion)).body.error, "invalid_client");
    assert.equal((await ask(inBody, basicOf("robot", clientSecret))).status, 200, "Z11");
    assert.equal((await ask(inBody, basicOf("robot", "another"))).body.error, "invalid_request");
    assert.equal((await ask({ ...inBody, ...asAssertion })).body.error, "invalid_request");
  });
});
