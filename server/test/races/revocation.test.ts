import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { activateSigningKey, createSigningKey } from "../../src/domain/signing-key/index.ts";
import { basicOf } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type Cluster, eachTopology, race, type ServerNode } from "../support/servers/nodes.ts";

// What an answered change may take to hold on every node.
const promisedMilliseconds = 1000;
const token = "/oauth/v2/token";

eachTopology((start) => {
  test("a change takes effect on every node within a second of the response", async (t) => {
    const cluster = await start(t);
    await t.test("a user is deactivated while tokens are refreshed", () => deactivatePerson(cluster));
    await t.test("a service account is deactivated while tokens are issued", () => deactivateAccount(cluster));
    await t.test("a session is ended while tokens are refreshed", () => endSession(cluster));
    await t.test("a token is revoked", () => revokeToken(cluster));
    await t.test("a client secret is made again", () => replaceSecret(cluster));
    await t.test("an application is deactivated while codes are redeemed", () => deactivateApplication(cluster));
    await t.test("a role of an administrator is taken", () => takeRole(cluster));
    await t.test("another key becomes the signing key", () => activateKey(cluster));
    await t.test("a setting is changed", () => changeSetting(cluster));
  });
});

/** Refreshes on all nodes in turn until it is refused; every access token that was given. */
async function refreshUntilRefused(
  cluster: Cluster,
  refreshToken: string,
  given: string[] = [],
): Promise<readonly string[]> {
  const { nodes, first } = cluster;
  let current = refreshToken;
  for (let count = 0; ; count++) {
    const node = nodes[count % nodes.length] ?? first;
    const parameters = { grant_type: "refresh_token", refresh_token: current };
    const { status, body } = await node.form(token, parameters, first.client.basic);
    if (status !== 200) {
      assert.equal(body.error, "invalid_grant");
      return given;
    }
    given.push(body.access_token);
    current = body.refresh_token;
  }
}

/** Waits until so many tokens were issued: the change shall meet requests that are under way. */
async function areIssued(given: readonly string[], least: number): Promise<void> {
  for (let waited = 0; given.length < least; waited += 20) {
    assert.ok(waited < 20_000, "no tokens were issued");
    await sleep(20);
  }
}

async function deactivatePerson(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const families = await Promise.all([1, 2, 3, 4].map(() => first.tokens({ scope: "openid offline_access" })));
  const given: string[] = [];
  const running = families.map((tokens) => refreshUntilRefused(cluster, tokens["refresh_token"] ?? "", given));
  await areIssued(given, 5);
  const { userId } = first.user;
  await ok(first.rest("POST", `/v2/users/${userId}/deactivate`, { body: {} }));
  await Promise.all(running);
  await allInactive(cluster, [...given, ...families.map((tokens) => tokens["access_token"] ?? "")]);
  await ok(first.rest("POST", `/v2/users/${userId}/reactivate`, { body: {} }));
}

async function deactivateAccount(cluster: Cluster): Promise<void> {
  const { first, nodes } = cluster;
  const { userId, secret } = await makeAccount(cluster, "robot");
  const scope = `openid urn:service:iam:org:project:id:${first.projectId}:aud`;
  const given: string[] = [];
  let isOver = false;
  const issue = async (node: ServerNode): Promise<void> => {
    while (!isOver) {
      const parameters = { grant_type: "client_credentials", scope };
      const { status, body } = await node.form(token, parameters, basicOf("robot", secret));
      if (status === 200) given.push(body.access_token);
      else assert.equal(body.error, "invalid_client");
    }
  };
  const running = [...nodes, ...nodes].map(issue);
  await areIssued(given, 1);
  await ok(first.rest("POST", `/v2/users/${userId}/deactivate`, { body: {} }));
  await sleep(100);
  isOver = true;
  await Promise.all(running);
  await allInactive(cluster, given);
}

async function endSession(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const session = await first.signIn();
  const families = await Promise.all([1, 2, 3, 4].map(() => first.tokens({ scope: "openid offline_access", session })));
  const running = families.map((tokens) => refreshUntilRefused(cluster, tokens["refresh_token"] ?? ""));
  await sleep(100);
  await ok(first.rest("DELETE", `/v2/sessions/${session.sessionId}`, { body: {} }));
  const given = (await Promise.all(running)).flat();
  await allInactive(cluster, [...given, ...families.map((tokens) => tokens["access_token"] ?? "")]);
}

async function revokeToken(cluster: Cluster): Promise<void> {
  const { first } = cluster;
  const { access_token: accessToken = "" } = await first.tokens();
  assert.equal((await first.introspect(accessToken))["active"], true);
  assert.equal((await first.form("/oauth/v2/revoke", { token: accessToken }, first.client.basic)).status, 200);
  await allInactive(cluster, [accessToken]);
}

async function replaceSecret(cluster: Cluster): Promise<void> {
  const { first, nodes } = cluster;
  const client = await first.createClient();
  const ask = (node: ServerNode, secret: string) =>
    node.form("/oauth/v2/introspect", { token: "x" }, basicOf(client.clientId, secret));
  for (const node of nodes) assert.equal((await ask(node, client.clientSecret)).status, 200);
  const { clientSecret } = await ok(
    first.connect("service.application.v2.ApplicationService/GenerateClientSecret", {
      projectId: first.projectId,
      applicationId: client.applicationId,
    }),
  );
  await soon(nodes, async (node) => (await ask(node, client.clientSecret)).body.error === "invalid_client");
  await soon(nodes, async (node) => (await ask(node, clientSecret)).status === 200);
}

async function deactivateApplication(cluster: Cluster): Promise<void> {
  const { first, nodes } = cluster;
  const client = await first.createClient();
  const codes = await Promise.all(Array.from({ length: 8 }, () => first.signIn({ client })));
  const redeem = race(codes.length, cluster, (node, index) =>
    node.form(
      token,
      {
        grant_type: "authorization_code",
        redirect_uri: client.redirectUri,
        code: codes[index]?.code ?? "",
        code_verifier: codes[index]?.codeVerifier ?? "",
      },
      client.basic,
    ),
  );
  await ok(
    first.connect("service.application.v2.ApplicationService/DeactivateApplication", {
      projectId: first.projectId,
      applicationId: client.applicationId,
    }),
  );
  const given = (await redeem).filter(({ status }) => status === 200).map(({ body }) => body.access_token as string);
  await soon(nodes, async (node) => {
    const answer = await node.form("/oauth/v2/introspect", { token: "x" }, client.basic);
    return answer.body.error === "invalid_client";
  });
  await allInactive(cluster, given);
}

async function takeRole(cluster: Cluster): Promise<void> {
  const { first, nodes } = cluster;
  const { userId } = await makeAccount(cluster, "viewer");
  const { token: pat } = await ok(
    first.rest("POST", `/v2/users/${userId}/pats`, { body: { expirationDate: "2100-01-01T00:00:00Z" } }),
  );
  const administrator = { userId, resource: { instance: true } };
  const service = "service.internal_permission.v2.InternalPermissionService";
  await ok(first.connect(`${service}/CreateAdministrator`, { ...administrator, roles: ["IAM_OWNER_VIEWER"] }));
  const path = `/v2/users/${first.user.userId}`;
  for (const node of nodes) assert.equal((await node.rest("GET", path, { token: pat })).status, 200);
  await ok(first.connect(`${service}/DeleteAdministrator`, administrator));
  await soon(nodes, async (node) => (await node.rest("GET", path, { token: pat })).status === 404);
}

async function activateKey(cluster: Cluster): Promise<void> {
  const { first, nodes } = cluster;
  const { domain } = first.app;
  const instance = await domain.findInstanceByHost("localhost");
  const call = testCall({ instanceId: instance?.instanceId ?? "", now: domain.clock() });
  const keyIds = async (node: ServerNode): Promise<string[]> => {
    const { keys } = (await node.rest("GET", "/oauth/v2/keys", { token: null })).body;
    return keys.map(({ kid }: { kid: string }) => kid);
  };
  for (const node of nodes) await keyIds(node);
  const { keyId } = await createSigningKey(domain, call, { kind: "ecdsa", curve: "P-256" });
  await soon(nodes, async (node) => (await keyIds(node)).includes(keyId));
  await activateSigningKey(domain, call, { keyId });
  const { secret } = await makeAccount(cluster, "signer", "ACCESS_TOKEN_TYPE_JWT");
  await soon(nodes, async (node) => {
    const parameters = { grant_type: "client_credentials", scope: "openid" };
    const { body } = await node.form(token, parameters, basicOf("signer", secret));
    const header = JSON.parse(Buffer.from(body.access_token.split(".")[0], "base64url").toString());
    return header.kid === keyId;
  });
}

async function changeSetting(cluster: Cluster): Promise<void> {
  const { first, nodes } = cluster;
  const { secret } = await makeAccount(cluster, "short");
  const lifetime = async (node: ServerNode): Promise<number> => {
    const parameters = { grant_type: "client_credentials", scope: "openid" };
    return (await node.form(token, parameters, basicOf("short", secret))).body.expires_in;
  };
  for (const node of nodes) assert.equal(await lifetime(node), 43_200);
  await changeSettings(first, "oidc", { accessTokenLifetimeSeconds: 600 });
  await soon(nodes, async (node) => (await lifetime(node)) === 600);
}

async function makeAccount({ first }: Cluster, username: string, accessTokenType = "ACCESS_TOKEN_TYPE_BEARER") {
  const machine = { name: username, accessTokenType };
  const body = { organizationId: first.organizationId, username, machine };
  const { id: userId } = await ok(first.rest("POST", "/v2/users/new", { body }));
  const { clientSecret } = await ok(first.rest("POST", `/v2/users/${userId}/secret`, { body: {} }));
  return { userId: userId as string, secret: clientSecret as string };
}

/** Requires that no node takes any of the tokens, now or at the latest within the promised time. */
async function allInactive(cluster: Cluster, tokens: readonly string[]): Promise<void> {
  const { basic } = cluster.first.client;
  await soon(cluster.nodes, async (node) => {
    const answers = await Promise.all(tokens.map((each) => node.form("/oauth/v2/introspect", { token: each }, basic)));
    return answers.every(({ body }) => body.active === false);
  });
}

/** Requires that something holds on every node within the promised time. */
async function soon(nodes: readonly ServerNode[], holds: (node: ServerNode) => Promise<boolean>): Promise<void> {
  const began = performance.now();
  await Promise.all(
    nodes.map(async (node, index) => {
      while (!(await holds(node))) {
        assert.ok(performance.now() - began < promisedMilliseconds, `node ${index + 1} does not know it yet`);
        await sleep(10);
      }
    }),
  );
}

async function ok(answering: ReturnType<ServerNode["rest"]>): Promise<Awaited<typeof answering>["body"]> {
  const answer = await answering;
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
