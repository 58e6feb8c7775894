import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestOptions, TestServer } from "../support/servers/server.ts";

/** Asks as the routes of the interface do: those of projects have no body and take what is wanted from the address. */
const search = (server: TestServer, path: string, query: object = {}, options: RestOptions = {}) => {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [`query.${name}`, String(value)]),
  );
  return path.includes("/projects/")
    ? server.rest("POST", `${path}/changes/_search?${parameters}`, options)
    : server.rest("POST", `${path}/changes/_search`, { body: { query }, ...options });
};

async function changes(server: TestServer, path: string, query: object = {}, options: RestOptions = {}) {
  const answer = await search(server, path, query, options);
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`);
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  return answer.body.result as any[];
}

eachServer((start) => {
  test("the history of one record", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const ada = await addPerson(server, { username: "ada" });
    const made = await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId,
      name: "Shop",
    });
    const { projectId } = made.body;
    const application = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
      projectId,
      name: "Web",
      apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
    });
    assert.equal(application.status, 200, JSON.stringify(application.body));
    const { applicationId } = application.body;
    for (const name of ["One", "Two", "Three"]) {
      server.clock.now += 1000;
      const changed = [
        await server.connect("service.project.v2.ProjectService/UpdateProject", { projectId, name }),
        await server.connect("service.org.v2.OrganizationService/UpdateOrganization", { organizationId, name }),
        await server.connect("service.user.v2.UserService/UpdateUser", {
          userId: ada.userId,
          human: { profile: { nickName: name } },
        }),
        await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
          projectId,
          applicationId,
          name,
        }),
      ];
      for (const { status, body } of changed) assert.equal(status, 200, JSON.stringify(body));
    }
    const records = {
      [`/management/v1/users/${ada.userId}`]: ["user.created", "user.profile.set"],
      "/management/v1/orgs/me": ["organization.created", "organization.updated"],
      [`/management/v1/projects/${projectId}`]: ["project.created", "project.updated"],
      [`/management/v1/projects/${projectId}/apps/${applicationId}`]: ["application.created", "application.updated"],
    };

    await t.test("each is listed by its sequence, in either direction, page by page", async () => {
      for (const [path, [first, last]] of Object.entries(records)) {
        const newest = await changes(server, path);
        assert.equal(newest[0].eventType.key, `EventTypes.${last}`, path);
        assert.equal(newest.at(-1).eventType.key, `EventTypes.${first}`, path);
        assert.deepEqual(
          newest.map(({ sequence }) => sequence),
          newest.map((_, index) => newest.length - index),
          path,
        );
        assert.deepEqual((await changes(server, path, { asc: true })).reverse(), newest, path);
        for (const asc of [true, false]) {
          const paged = [];
          for (let sequence = 0; ; ) {
            const page = await changes(server, path, { asc, sequence, limit: 2 });
            paged.push(...page);
            if (page.length < 2) break;
            sequence = page.at(-1).sequence;
          }
          assert.deepEqual(asc ? paged.reverse() : paged, newest, `${path} ${asc}`);
        }
        const refused = await search(server, path, { limit: 1001 });
        assert.deepEqual([refused.status, refused.body.details[0].id], [400, "page.limit_exceeded"]);
      }
      const [change] = await changes(server, `/management/v1/users/${ada.userId}`, { limit: 1 });
      const { editorId, sequence, ...rest } = change;
      assert.ok(editorId !== "" && sequence > 3);
      assert.deepEqual(rest, {
        changeDate: new Date(server.clock.now).toISOString().replace(".000Z", "Z"),
        eventType: { key: "EventTypes.user.profile.set", localizedMessage: "User: profile set" },
        editorDisplayName: "bootstrap",
        resourceOwnerId: organizationId,
        editorPreferredLoginName: "bootstrap@doorward.localhost",
        editorAvatarUrl: "",
      });
    });

    await t.test("users see their own; the others are for readers of the record, in its organization", async () => {
      const { token } = await sessionOf(server, ada);
      const own = await changes(server, "/auth/v1/users/me", {}, { token });
      assert.deepEqual(own.at(-1).eventType.key, "EventTypes.user.created");
      const elsewhere = await addOrganization(server, "Elsewhere");
      const stranger = await addPerson(server, { username: "eve", organizationId: elsewhere });
      await appoint(server, stranger, { organizationId: elsewhere }, ["ORG_OWNER"]);
      const ofStranger = (await sessionOf(server, stranger)).token;
      for (const path of Object.keys(records)) {
        const ask = async (options: RestOptions) => (await search(server, path, {}, options)).status;
        assert.equal(await ask({ token: null }), 401, path);
        assert.equal(await ask({ token }), 403, path);
        assert.equal(await ask({ token: ofStranger, headers: { "x-service-orgid": organizationId } }), 403, path);
        if (path.endsWith("/me")) continue;
        assert.equal(await ask({ token: ofStranger }), 404, path);
        assert.equal(await ask({ headers: { "x-service-orgid": elsewhere } }), 404, path);
      }
    });
  });
});
