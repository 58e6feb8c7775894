import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const service = "service.org.v2.OrganizationService";

async function endings(server: TestServer, organizationId: string, token: string): Promise<Record<string, string>> {
  const headers = { "x-service-orgid": organizationId };
  return {
    deactivated: slugOf(await server.connect(`${service}/DeactivateOrganization`, { organizationId }, { token })),
    "deactivated in v1": slugOf(await server.rest("POST", "/management/v1/orgs/me/_deactivate", { token, headers })),
    deleted: slugOf(await server.connect(`${service}/DeleteOrganization`, { organizationId }, { token })),
    "deleted in v1": slugOf(await server.rest("DELETE", "/management/v1/orgs/me", { token, headers })),
  };
}

eachServer((start) => {
  test("the owner of an organization cannot deactivate or delete it while administrators of the instance belong to it (A15)", async (t) => {
    const server = await start(t);
    for (const role of ["IAM_OWNER", "IAM_USER_MANAGER"]) {
      const organizationId = await addOrganization(server, `Home of ${role}`);
      const owner = await addPerson(server, { username: `owner-${role}`, organizationId });
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      const settings = await addPerson(server, { username: `settings-${role}`, organizationId });
      await appoint(server, settings, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
      const admin = await addPerson(server, { username: `admin-${role}`, organizationId });
      await appoint(server, admin, { instance: true }, [role]);
      const slug = "organization.administers_instance";
      const { token } = await sessionOf(server, owner);
      assert.deepEqual(await endings(server, organizationId, token), {
        deactivated: slug,
        "deactivated in v1": slug,
        deleted: slug,
        "deleted in v1": slug,
      });
      const { token: setting } = await sessionOf(server, settings);
      const byManager = await server.connect(
        `${service}/DeactivateOrganization`,
        { organizationId },
        { token: setting },
      );
      assert.equal(slugOf(byManager), slug, "a manager of settings");
      await sessionOf(server, admin);
      const byOwner = await server.connect(`${service}/DeactivateOrganization`, { organizationId });
      assert.equal(slugOf(byOwner), "done", "the owner of the instance may");
      await server.connect(`${service}/ActivateOrganization`, { organizationId });
      assert.equal(slugOf(await server.connect(`${service}/DeleteOrganization`, { organizationId })), "done");
    }
    const organizationId = await addOrganization(server, "Plain");
    const owner = await addPerson(server, { username: "plain-owner", organizationId });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const plain = await server.connect(`${service}/DeactivateOrganization`, { organizationId }, { token });
    assert.equal(slugOf(plain), "done", "an organization without them");
  });

  test("an organization with the only owner of the instance is not deactivated (A15)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Operators");
    const only = await addPerson(server, { username: "only", organizationId });
    await appoint(server, only, { instance: true }, ["IAM_OWNER"]);
    const { token } = await sessionOf(server, only);
    const listed = await server.rest("POST", "/admin/v1/members/_search", { token, body: {} });
    for (const { userId, roles } of listed.body.result) {
      if (userId === only.userId || !roles.includes("IAM_OWNER")) continue;
      assert.equal((await server.rest("DELETE", `/admin/v1/members/${userId}`, { token })).status, 200);
    }
    const answer = await server.connect(`${service}/DeactivateOrganization`, { organizationId }, { token });
    assert.equal(slugOf(answer), "membership.last_owner");
    await sessionOf(server, only).catch(() => undefined);
  });

  test("only those who may delete an organization lock all its owners out", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Tenant");
    const holderOf = async (role: string, of = organizationId) => {
      const person = await addPerson(server, { username: `holder-${role}-${of}`, organizationId: of });
      await appoint(server, person, { organizationId }, [role]);
      return (await sessionOf(server, person)).token;
    };
    const [owner, settings] = [await holderOf("ORG_OWNER"), await holderOf("ORG_SETTINGS_MANAGER")];
    const elsewhere = await holderOf("ORG_OWNER", await addOrganization(server, "Elsewhere"));
    const turn = async (to: "Activate" | "Deactivate" | "Delete", token?: string) =>
      slugOf(
        await server.connect(`${service}/${to}Organization`, { organizationId }, token === undefined ? {} : { token }),
      );
    assert.equal(await turn("Deactivate", settings), "permission.missing");
    const headers = { "x-service-orgid": organizationId };
    const v1 = await server.rest("POST", "/management/v1/orgs/me/_deactivate", { token: settings, headers });
    assert.equal(slugOf(v1), "permission.missing");
    assert.equal((await server.rest("GET", "/auth/v1/users/me", { token: owner })).status, 200);
    assert.equal(await turn("Deactivate", owner), "done");
    assert.equal((await server.rest("GET", "/auth/v1/users/me", { token: owner })).status, 401);
    assert.equal(await turn("Activate", elsewhere), "done", "an owner who is at home in another organization");

    assert.equal(await turn("Deactivate"), "done");
    assert.equal(await turn("Activate", elsewhere), "organization.deactivated_by_instance");
    const again = await server.rest("POST", "/management/v1/orgs/me/_reactivate", { token: elsewhere, headers });
    assert.equal(slugOf(again), "organization.deactivated_by_instance");
    assert.equal(await turn("Delete", elsewhere), "permission.missing");
    assert.equal(await turn("Activate"), "done");

    assert.equal(await turn("Deactivate", elsewhere), "done");
    assert.equal(await turn("Deactivate"), "done", "the instance confirms it");
    assert.equal(await turn("Activate", elsewhere), "organization.deactivated_by_instance");
    assert.equal(await turn("Activate"), "done");
    assert.equal(await turn("Deactivate", elsewhere), "done");
    assert.equal(await turn("Activate", elsewhere), "done", "what was confirmed once does not last");
  });
});
