import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { type Cluster, eachTopology, race, type ServerNode } from "../support/servers/nodes.ts";

const v2 = (node: ServerNode, body: object, token?: string | null) =>
  node.rest("PUT", "/v2/policies/security", { body, ...(token !== undefined && { token }) });
const v1 = (node: ServerNode, body: object, token?: string | null) =>
  node.rest("PUT", "/admin/v1/policies/security", { body, ...(token !== undefined && { token }) });
const read = async (node: ServerNode) => (await node.rest("GET", "/v2/settings/security")).body.settings;
const readV1 = async (node: ServerNode) => (await node.rest("GET", "/admin/v1/policies/security")).body.policy;

const everything = {
  embeddedIframe: { enabled: true, allowedOrigins: ["https://portal.example"] },
  enableImpersonation: true,
  dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
  clientIdMetadataDocument: { enabled: true, allowedUrls: ["https://client.example/id"], allowAnyUrl: false },
  claimNamespaces: ["service"],
  skipConsentAcrossOrganizations: true,
};
const nothing = {
  embeddedIframe: { enabled: false, allowedOrigins: [] },
  enableImpersonation: false,
  dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
  clientIdMetadataDocument: { enabled: false, allowedUrls: [], allowAnyUrl: false },
  claimNamespaces: [],
  skipConsentAcrossOrganizations: false,
};

async function administrator({ first }: Cluster, username: string, roles: readonly string[]): Promise<string> {
  const machine = { organizationId: first.organizationId, username, machine: { name: username } };
  const { body: made } = await first.rest("POST", "/v2/users/new", { body: machine });
  if (roles.length > 0) {
    const administration = { userId: made.id, resource: { instance: true }, roles };
    const service = "service.internal_permission.v2.InternalPermissionService";
    assert.equal((await first.connect(`${service}/CreateAdministrator`, administration)).status, 200);
  }
  const pat = await first.rest("POST", `/v2/users/${made.id}/pats`, {
    body: { expirationDate: "2100-01-01T00:00:00Z" },
  });
  return pat.body.token;
}

eachTopology((start, name) => {
  test(`every switch is off on a new instance, and both generations say the same (${name})`, async (t) => {
    const { other } = await start(t);
    assert.deepEqual(await read(other), nothing);
    const { details, ...policy } = await readV1(other);
    assert.deepEqual(policy, { enableIframeEmbedding: false, allowedOrigins: [], enableImpersonation: false });
    const newest = (await other.rest("GET", "/v2/settings/security")).body.details;
    assert.deepEqual(details, newest);
  });

  test(`what one node was told, every node does at once (${name})`, async (t) => {
    const { first, other } = await start(t);
    const policyOf = async (node: ServerNode) =>
      (await fetch(`${node.origin}/ui/login`)).headers.get("content-security-policy") ?? "";
    // Each answer is read right away where it was not given: no wait, no second try.
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 === 0 ? [first, other] : [other, first];
      assert.equal((await v2(writer, everything)).status, 200);
      assert.deepEqual(await read(reader), everything);
      assert.equal((await readV1(reader)).enableImpersonation, true);
      assert.match(await policyOf(reader), /frame-ancestors https:\/\/portal\.example/);
      // A caller who does not know the switch leaves it as it is.
      assert.equal((await v2(writer, {})).status, 200);
      assert.deepEqual(await read(reader), { ...nothing, skipConsentAcrossOrganizations: true });
      assert.equal((await v2(writer, { skipConsentAcrossOrganizations: false })).status, 200);
      assert.deepEqual(await read(reader), nothing);
      assert.match(await policyOf(reader), /frame-ancestors 'none'/);
    }
  });

  test(`a write of the first generation changes what that generation knows, and nothing else (${name})`, async (t) => {
    const { first, other } = await start(t);
    await v2(first, everything);
    const { status, body } = await v1(other, { allowedOrigins: ["https://old.example"] });
    assert.deepEqual([status, Object.keys(body)], [200, ["details"]]);
    assert.deepEqual(await read(first), {
      ...everything,
      embeddedIframe: { enabled: false, allowedOrigins: ["https://old.example"] },
      enableImpersonation: false,
    });
    // The same once more changes nothing, and says so.
    const again = await v1(first, { allowedOrigins: ["https://old.example"] });
    assert.deepEqual(again.body.details, body.details);
    const wrong = await v1(first, { allowedOrigins: ["https://old.example", "nowhere"] });
    assert.deepEqual([wrong.status, wrong.body.details[0].id], [400, "settings.security.origin_invalid"]);
    assert.match(wrong.body.message, /allowedOrigins\[1\]/);
  });

  test(`a write of the first generation never undoes one of the second at the same moment (${name})`, async (t) => {
    const cluster = await start(t);
    const { first } = cluster;
    for (let round = 0; round < 5; round++) {
      await v2(first, {});
      const answers = await race(9, cluster, (node, index) =>
        index === 4 ? v2(node, everything) : v1(node, { enableImpersonation: index % 2 === 0 }),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const { dynamicClientRegistration, clientIdMetadataDocument } = await read(first);
      assert.deepEqual(dynamicClientRegistration, everything.dynamicClientRegistration);
      assert.deepEqual(clientIdMetadataDocument, everything.clientIdMetadataDocument);
    }
  });

  test(`iam.policy.read reads and iam.policy.write writes, in both generations (${name})`, async (t) => {
    const cluster = await start(t);
    const { other } = cluster;
    const viewer = await administrator(cluster, "viewer", ["IAM_OWNER_VIEWER"]);
    const nobody = await administrator(cluster, "nobody", []);
    const paths = ["/v2/settings/security", "/admin/v1/policies/security"];
    for (const path of paths) {
      const statusOf = async (token: string | null) => (await other.rest("GET", path, { token })).status;
      assert.deepEqual([await statusOf(viewer), await statusOf(nobody), await statusOf(null)], [200, 403, 401], path);
    }
    for (const write of [v1, v2]) {
      const statusOf = async (token: string | null) =>
        (await write(other, { enableImpersonation: true }, token)).status;
      assert.deepEqual([await statusOf(viewer), await statusOf(nobody), await statusOf(null)], [403, 403, 401]);
    }
    assert.deepEqual(await read(other), nothing);
  });
});
