import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetchNonce, makeProof, makeProofKey, type ProofKey } from "../../support/oidc/dpop.ts";
import { basicOf, type FormAnswer, type TestClient } from "../../support/oidc/oidc.ts";
import { addResource } from "../../support/oidc/resources.ts";
import { addOrganization } from "../../support/people/people.ts";
import { ok, projects } from "../support/registered-resources.ts";
import {
  type ExchangeServer,
  exchangeGrant,
  mayExchange,
  type Somebody,
  startExchangeServer,
  typeOf,
} from "./support.ts";

// A server that is sent a token, or a thief who finds a copy of one, can write the id of a public client beside it.

const publicClient = {
  ...mayExchange,
  applicationType: "OIDC_APP_TYPE_NATIVE",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
};
const tools = "https://tools.example/mcp";

type Headers = Readonly<Record<string, string>>;

enginesInTurn((engine, test) => {
  for (const kind of ["resource", "project"] as const) {
    test(`the server of another organization's ${kind} acts for no user with the token that it was sent`, async (t) => {
      const server = await startExchangeServer(t, { engine });
      const { scope, parameters } = await addTarget(server, kind);
      const support = await server.createClient({ ...publicClient, trustedForApi: true });
      const signedIn = { client: support, scope: `openid profile ${scope}`, user: server.agent, parameters };
      const sent = await redeem(server, signedIn);
      assert.equal((await exchange(server, support, asActor(server, sent["access_token"]))).status, 400);

      const key = await makeProofKey();
      const bound = await redeem(server, { ...signedIn, key });
      assert.equal((await exchange(server, support, asActor(server, bound["access_token"]))).status, 400);
      const made = await makeProofKey();
      const byOther = await exchange(
        server,
        support,
        asActor(server, bound["access_token"]),
        await prove(server, made),
      );
      assert.equal(byOther.status, 400, "by another key");
      const own = await exchange(server, support, asActor(server, bound["access_token"]), await prove(server, key));
      assert.equal(own.status, 200, JSON.stringify(own.body));
    });
  }

  test("the server of another organization's resource gets no token of the application for the one that it was sent", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const { scope, parameters, resourceId } = await addTarget(server, "resource");
    const client = await server.createClient(publicClient);
    const sent = await redeem(server, { client, scope: `openid ${scope}`, parameters });
    const attempts = [
      { requested_token_type: typeOf.id_token },
      {},
      { audience: client.clientId },
      { requested_token_type: typeOf.jwt },
    ];
    const refused = async () => {
      for (const attempt of attempts) {
        const answer = await exchange(server, client, {
          ...asSubject(sent["access_token"], "access_token"),
          ...attempt,
        });
        assert.deepEqual([answer.status, answer.body.error], [400, "invalid_request"], JSON.stringify(attempt));
      }
    };
    await refused();
    // Its owner may also remove what the token names, and keep the token.
    await ok(server.connect("service.resource.v2.ResourceService/DeleteResource", { id: resourceId }));
    await refused();

    const kept = await redeem(server, { client, scope: "openid" });
    for (const attempt of attempts) {
      const answer = await exchange(server, client, { ...asSubject(kept["access_token"], "access_token"), ...attempt });
      assert.equal(answer.status, 200, `a token that no other party was sent: ${JSON.stringify(answer.body)}`);
    }
  });

  test("an API does not act for users with a service account's token, as a public application of its project", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const machine = { organizationId: server.organizationId, username: "robot", machine: { name: "Robot" } };
    const { id: userId } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
    await server.appoint(userId, ["IAM_END_USER_IMPERSONATOR"]);
    const { clientSecret } = (await server.rest("POST", `/v2/users/${userId}/secret`, { body: {} })).body;
    const getToken = async (project: string): Promise<string> => {
      const scope = `openid profile urn:service:iam:org:project:id:${project}:aud`;
      const parameters = { grant_type: "client_credentials", scope };
      return (await ok(server.form("/oauth/v2/token", parameters, basicOf("robot", clientSecret)))).access_token;
    };
    const sent = await getToken(server.projectId);
    const [open, closed] = [
      await server.createClient({ ...publicClient, trustedForApi: true }),
      await server.createClient({ ...mayExchange, trustedForApi: true }),
    ];
    assert.equal((await exchange(server, open, asActor(server, sent))).status, 400);
    assert.equal(
      (await exchange(server, open, asActor(server, sent), await prove(server, await makeProofKey()))).status,
      400,
    );
    assert.equal((await exchange(server, closed, asActor(server, sent))).status, 200, "one that has a secret");
  });

  test("a copied id token that is bound to no key is exchanged by no public client, whatever key it proves", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const open = await server.createClient(publicClient);
    const support = await server.createClient({ ...publicClient, trustedForApi: true });
    const fresh = await makeProofKey();
    const copies = [
      [open, await server.tokens({ scope: "openid profile" })],
      [support, await redeem(server, { client: support, scope: "openid profile", user: server.agent })],
    ] as const;
    for (const [client, tokens] of copies) {
      const copy = asSubject(tokens["id_token"], "id_token");
      const answer = await exchange(server, client, copy, await prove(server, fresh));
      assert.deepEqual([answer.status, answer.body.error], [400, "invalid_request"]);
    }
    const bound = await redeem(server, { client: open, scope: "openid profile", key: fresh });
    const own = await exchange(server, open, asSubject(bound["id_token"], "id_token"), await prove(server, fresh));
    assert.equal(own.status, 200, JSON.stringify(own.body));
  });
});

/** Something of another organization that applications may ask tokens for. */
async function addTarget(server: ExchangeServer, kind: "resource" | "project") {
  const organizationId = await addOrganization(server, "Tools Ltd");
  const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name: "Tools" }));
  const resourceId = await addResource(server, projectId, tools, { scopes: [{ name: "tools:read" }] });
  return kind === "resource"
    ? { scope: "tools:read", parameters: { resource: tools }, resourceId }
    : { scope: `urn:service:iam:org:project:id:${projectId}:aud`, parameters: {}, resourceId };
}

interface SignIn {
  readonly client: TestClient;
  readonly scope: string;
  readonly user?: Somebody;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The key that the tokens are bound to. */
  readonly key?: ProofKey;
}

/** Signs in to a public client, and returns its tokens. */
async function redeem(server: ExchangeServer, { key, ...signedIn }: SignIn): Promise<Record<string, string>> {
  const { client } = signedIn;
  const { code, codeVerifier } = await server.signIn(signedIn);
  const parameters = {
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    code_verifier: codeVerifier,
    client_id: client.clientId,
  };
  return ok(server.form("/oauth/v2/token", parameters, key === undefined ? {} : await prove(server, key)));
}

function exchange(
  server: ExchangeServer,
  client: TestClient,
  parameters: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<FormAnswer> {
  const isPublic = client.clientSecret === "";
  const known = { grant_type: exchangeGrant, scope: "openid", ...(isPublic && { client_id: client.clientId }) };
  return server.form("/oauth/v2/token", { ...known, ...parameters }, { ...(!isPublic && client.basic), ...headers });
}

const asSubject = (token: string | undefined, type: "access_token" | "id_token") => ({
  subject_token: token ?? "",
  subject_token_type: typeOf[type],
});

const asActor = (server: ExchangeServer, token: string | undefined) => ({
  subject_token: server.user.userId,
  subject_token_type: typeOf.user_id,
  actor_token: token ?? "",
  actor_token_type: typeOf.access_token,
});

async function prove(server: ExchangeServer, key: ProofKey): Promise<{ dpop: string }> {
  return { dpop: await makeProof(server, key, { path: "/oauth/v2/token", nonce: await fetchNonce(server, key) }) };
}
