import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { join, sql } from "../../src/database/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization } from "../support/people/people.ts";

const words = ["service", "zitadel"];

/** Starts a server with a user who has a role and an entry of metadata. */
async function startFilled(t: Parameters<typeof startOidcServer>[0], aliases = ["zitadel"]): Promise<OidcServer> {
  const server = await startOidcServer(t, { config: { namespaceAliases: aliases } });
  const { projectId, organizationId, user } = server;
  const connect = async (method: string, body: object): Promise<void> => {
    const answer = await server.connect(method, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const role = { projectId, roleKey: "seller", displayName: "Seller" };
  await connect("service.project.v2.ProjectService/AddProjectRole", role);
  const assigned = { userId: user.userId, projectId, organizationId, roleKeys: ["seller"] };
  await connect("service.authorization.v2.AuthorizationService/CreateAuthorization", assigned);
  const metadata = [{ key: "floor", value: Buffer.from("2").toString("base64") }];
  await connect("service.user.v2.UserService/SetUserMetadata", { userId: user.userId, metadata });
  return server;
}

/** The claims in one namespace, without its prefix. */
const claimsIn = (claims: Readonly<Record<string, unknown>>, word: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(claims)
      .filter(([name]) => name.startsWith(`urn:${word}:iam:`))
      .map(([name, value]) => [name.slice(`urn:${word}:iam:`.length), value]),
  );

test("scopes in an alias of the namespace word mean the same, and claims are written in both (Z2)", async (t) => {
  const server = await startFilled(t);
  const shown = new Map<string, unknown>();
  for (const word of words) {
    const iam = `urn:${word}:iam`;
    const names = ["user:resourceowner", "user:metadata", "org:projects:roles", "org:project:role:seller"];
    const scope = ["openid", "offline_access", ...names.map((name) => `${iam}:${name}`)].join(" ");
    const tokens = await server.tokens({ scope });
    const claims = await server.introspect(tokens["access_token"] ?? "");
    const info = await fetch(`${server.origin}/oidc/v1/userinfo`, {
      headers: { authorization: `Bearer ${tokens["access_token"]}` },
    });
    for (const found of [claims, (await info.json()) as Record<string, unknown>, decodeJwt(tokens["id_token"] ?? "")]) {
      const [ours, theirs] = words.map((each) => claimsIn(found, each));
      assert.ok(ours !== undefined && "user:resourceowner:id" in ours, JSON.stringify(found));
      assert.deepEqual(ours, theirs);
    }
    shown.set(word, claimsIn(claims, "service"));

    // Narrowed in the other spelling: the same scopes, not wider ones.
    const [other = ""] = words.filter((each) => each !== word);
    const narrowed = await server.form(
      "/oauth/v2/token",
      {
        grant_type: "refresh_token",
        refresh_token: tokens["refresh_token"] ?? "",
        scope: `openid urn:${other}:iam:user:metadata`,
      },
      server.client.basic,
    );
    assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body));
  }
  assert.ok(Object.keys(shown.get("service") as object).length > 5, JSON.stringify(shown.get("service")));
  assert.deepEqual(shown.get("zitadel"), shown.get("service"));
});

test("tokens contain no metadata that are longer than a token should be", async (t) => {
  const server = await startFilled(t);
  const claim = "urn:service:iam:user:metadata";
  const told = async () => {
    const { access_token: token = "", id_token: idToken = "" } = await server.tokens({ scope: `openid ${claim}` });
    const headers = { authorization: `Bearer ${token}` };
    const info = (await (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers })).json()) as Record<
      string,
      object
    >;
    const found = [decodeJwt(idToken), info, await server.introspect(token)];
    return found.map((claims) => Object.keys((claims[claim] as object | undefined) ?? {}).length);
  };
  const set = (value: Buffer) =>
    server.connect("service.user.v2.UserService/SetUserMetadata", {
      userId: server.user.userId,
      metadata: [{ key: "long", value: value.toString("base64") }],
    });
  assert.equal((await set(Buffer.alloc(48_000))).status, 200);
  assert.deepEqual(await told(), [2, 2, 2]);
  assert.equal((await set(Buffer.alloc(50_000))).status, 200);
  assert.deepEqual(await told(), [0, 0, 0]);
});

test("more roles than a token can hold are an error that says so, unless some are named", async (t) => {
  const server = await startFilled(t);
  const all = await server.tokens({ scope: "openid urn:service:iam:org:projects:roles" });
  const one = await server.tokens({ scope: "openid urn:service:iam:org:project:role:seller" });
  const read = async (tokens: Readonly<Record<string, string>>) => {
    const headers = { authorization: `Bearer ${tokens["access_token"]}` };
    const answer = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers });
    const body = (await answer.json()) as Record<string, object>;
    return [answer.status, body["error"] ?? Object.keys(body["urn:service:iam:org:project:roles"] ?? {}).length];
  };
  const addRoles = (from: number, to: number, by = server.organizationId) => {
    const keys = Array.from({ length: to - from }, (_, index) => sql`select ${`role-${from + index}`} as role_key`);
    return server.app.domain.database.touch(testCall({ instanceId: "" }), (tx) =>
      tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key)
        select a.instance_id, a.authorization_id, k.role_key from authorizations a, (${join(keys, " union all ")}) k
        where a.user_id = ${server.user.userId} and a.organization_id = ${by}`),
    );
  };
  await addRoles(0, 400);
  assert.deepEqual(await read(all), [200, 401]);
  // What another organization assigns keeps no user out, and takes no role of the project's owner away.
  const stranger = await addOrganization(server, "Stranger");
  const { projectId, user } = server;
  const granted = { projectId, grantedOrganizationId: stranger, roleKeys: ["seller"] };
  await server.connect("service.project.v2.ProjectService/CreateProjectGrant", granted);
  const assigned = { userId: user.userId, projectId, organizationId: stranger, roleKeys: ["seller"] };
  const made = await server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", assigned);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  for (let from = 400; from < 2800; from += 400) await addRoles(from, from + 400, stranger);
  // Their part has a length of its own.
  const [status, count = 0] = await read(all);
  assert.equal(status, 200);
  assert.ok(Number(count) > 401 && Number(count) < 2000, String(count));
  assert.deepEqual(await read(one), [200, 1]);
  for (let from = 400; from < 2000; from += 400) await addRoles(from, from + 400);
  assert.deepEqual(await read(all), [400, "invalid_scope"]);
  assert.deepEqual(await read(one), [200, 1]);
});

test("the audience of our own APIs can be asked for in an alias, throughout or in part", async (t) => {
  const server = await startOidcServer(t);
  for (const [word, project] of [
    ["service", "service"],
    ["zitadel", "zitadel"],
    ["zitadel", "service"],
  ]) {
    const { access_token: token = "" } = await server.tokens({
      scope: `openid urn:${word}:iam:org:project:id:${project}:aud`,
    });
    const answer = await server.rest("GET", `/v2/users/${server.user.userId}`, { token });
    assert.equal(answer.status, 200, `${word} ${project}`);
  }
});

test("without aliases a scope in another word is unknown, and dropped like any other", async (t) => {
  const server = await startFilled(t, []);
  const asked = "openid urn:zitadel:iam:user:resourceowner urn:zitadel:iam:org:project:id:zitadel:aud";
  const { access_token: token = "" } = await server.tokens({ scope: asked });
  const claims = await server.introspect(token);
  const found = Object.keys(claims).filter((name) => /zitadel|resourceowner/.test(name));
  assert.deepEqual(found, []);
  assert.equal((await server.rest("GET", `/v2/users/${server.user.userId}`, { token })).status, 401);
});

test("the instance turns a namespace of claims off (Z2)", async (t) => {
  const server = await startFilled(t);
  const scope = "openid urn:zitadel:iam:org:projects:roles";
  const rolesIn = async (): Promise<string[]> => {
    const tokens = await server.tokens({ scope });
    const claims = await server.introspect(tokens["access_token"] ?? "");
    return words.filter((word) => claims[`urn:${word}:iam:org:project:roles`] !== undefined);
  };
  const list = (claimNamespaces: readonly string[]) =>
    server.rest("PUT", "/v2/policies/security", { body: { claimNamespaces } });
  assert.deepEqual(await rolesIn(), words);
  for (const [listed, expected] of [
    [["zitadel"], ["zitadel"]],
    [["service"], ["service"]],
    [["service", "zitadel"], words],
    [["unknown"], words],
    [[], words],
  ] as const) {
    assert.equal((await list(listed)).status, 200);
    const { body } = await server.rest("GET", "/v2/settings/security");
    assert.deepEqual(body.settings.claimNamespaces, listed);
    assert.deepEqual(await rolesIn(), expected, listed.join());
  }
  for (const refused of [["URN"], ["service", "service"], [""]]) {
    const { status, body } = await list(refused);
    assert.deepEqual([status, body.details[0].id], [400, "settings.security.namespace_invalid"]);
  }
});
