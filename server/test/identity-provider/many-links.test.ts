import assert from "node:assert/strict";
import { test } from "node:test";
import { join, sql } from "../../src/database/index.ts";
import { speakerOf } from "../../src/domain/identity-provider/provider-speaker.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import { testCall } from "../support/operations/call.ts";
import { addServiceAccount } from "../support/people/owners.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const mostLinks = 100;
const configuration = oidcAt("https://provider.example");

/** Stores accounts that a user proved, as many as there could be before they were limited. */
async function putLinks(
  { app: { domain } }: TestServer,
  { userId, identityProviderId }: { readonly userId: string; readonly identityProviderId: string },
  count: number,
): Promise<void> {
  const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  const speaker = speakerOf(configuration);
  const rows = Array.from(
    { length: count },
    (_, index) => sql`(${instanceId}, ${identityProviderId}, ${speaker}, ${`account-${index}`}, ${userId}, 'x',
      '', null, 0, 1, 1)`,
  );
  await domain.database.touch(testCall({ instanceId, now: domain.clock() }), (tx) =>
    tx.run(sql`insert into identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id,
      external_username, asserted_in, author, is_yielding, created_at, changed_at) values ${join(rows, ", ")}`),
  );
}

eachServer((start) => {
  test("a user has at most a hundred accounts at providers (A28)", async (t) => {
    const server = await start(t);
    const idpId = await putProvider(server, { configuration });
    const [full, other] = [
      await addPerson(server, { username: "full" }),
      await addPerson(server, { username: "other" }),
    ];
    await putLinks(server, { userId: full.userId, identityProviderId: idpId }, mostLinks - 1);
    const link = (userId: string, account: string) =>
      server.rest("POST", `/v2/users/${userId}/links`, {
        body: { idpLink: { idpId, userId: account, userName: account } },
      });
    assert.equal((await link(full.userId, "the last")).status, 200);
    const refused = await link(full.userId, "one more");
    assert.deepEqual([refused.status, refused.body.details[0].id], [429, "field.too_many"]);
    assert.equal((await link(other.userId, "one more")).status, 200);
    assert.equal((await server.rest("DELETE", `/v2/users/${full.userId}/links/${idpId}/account-1`)).status, 200);
    assert.equal((await link(full.userId, "instead")).status, 200);
  });

  test("an owner's account counts among very many for the guard of administrators (A28)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "acme");
    const identityProviderId = await putProvider(server, { configuration });
    const owner = await addPerson(server, { username: "owner", organizationId });
    await appoint(server, { userId: owner.userId }, { organizationId }, ["ORG_OWNER"]);
    const manager = await addServiceAccount(server, organizationId, "manager");
    await appoint(server, { userId: manager.userId }, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
    const set = (allowUsernamePassword: boolean, ids: readonly string[], method = "PUT") =>
      server.rest(method, "/management/v1/policies/login", {
        token: manager.token,
        headers: { "x-service-orgid": organizationId },
        body: {
          allowUsernamePassword,
          allowExternalIdp: true,
          ...(method === "POST" && { idps: ids.map((idpId) => ({ idpId, ownerType: "IDP_OWNER_TYPE_SYSTEM" })) }),
        },
      });
    const open = { allowUsernamePassword: true, allowExternalIdp: true };
    assert.equal((await server.rest("PUT", "/admin/v1/policies/login", { body: open })).status, 200);
    const offered = await server.rest("POST", "/admin/v1/policies/login/idps", { body: { idpId: identityProviderId } });
    assert.equal(offered.status, 200, JSON.stringify(offered.body));
    assert.equal((await set(true, [identityProviderId], "POST")).status, 200);
    const without = await set(false, []);
    assert.equal(without.body.details?.[0]?.id, "settings.login.no_password_for_administrators");
    await putLinks(server, { userId: owner.userId, identityProviderId }, 2000);
    const withLinks = await set(false, []);
    assert.equal(withLinks.status, 200, JSON.stringify(withLinks.body));
    const removed = await server.rest("DELETE", `/management/v1/policies/login/idps/${identityProviderId}`, {
      token: manager.token,
      headers: { "x-service-orgid": organizationId },
    });
    assert.equal(removed.status, 400, JSON.stringify(removed.body));
  });
});
