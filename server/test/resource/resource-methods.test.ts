import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const service = "service.resource.v2.ResourceService";
const projects = "service.project.v2.ProjectService";

const slug = ({ body }: Pick<RestAnswer, "body">): string | undefined => body.details?.[0]?.debug?.id;

async function makeProject(server: TestServer, organizationId: string, name: string): Promise<string> {
  const made = await server.connect(`${projects}/CreateProject`, { organizationId, name });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.projectId;
}

async function makeApi(server: TestServer, projectId: string): Promise<string> {
  const made = await server.connect("service.application.v2.ApplicationService/CreateApplication", {
    projectId,
    name: `API of ${projectId}`,
    apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
  });
  return made.body.applicationId;
}

serversInTurn((start, test, both) => {
  both("resources of a project (RFC 8707)", async (t) => {
    const server = await start(t);
    const { organizationId, projectId } = await setUpOidc(server);
    const call = (method: string, body: object, token?: string) =>
      server.connect(`${service}/${method}`, body, token === undefined ? {} : { token });
    const create = (uri: string, given: object = {}) =>
      call("CreateResource", { projectId, name: "Tools", uri, ...given });
    const must = async (answering: Promise<RestAnswer>) => {
      const answer = await answering;
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    };
    const other = await addOrganization(server, "Other");
    const otherProject = await makeProject(server, other, "Theirs");
    const scopes = [{ name: "tools:read", descriptions: { en: "Look at your tools", de: "Deine Werkzeuge ansehen" } }];

    await t.test("are made, read, changed and deleted, with their events", async () => {
      const api = await makeApi(server, projectId);
      const made = await must(
        create("HTTPS://Tools.Example:443/mcp", {
          scopes,
          tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT",
          accessTokenLifetime: "600s",
          applicationIds: [api],
        }),
      );
      assert.equal(made.uri, "https://tools.example/mcp");
      const { id } = made;
      const { resource } = await must(call("GetResource", { id }));
      const { creationDate, changeDate, ...shown } = resource;
      assert.equal(creationDate, changeDate);
      assert.deepEqual(shown, {
        id,
        projectId,
        organizationId,
        uri: "https://tools.example/mcp",
        name: "Tools",
        scopes,
        tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT",
        accessTokenLifetime: "600s",
        applicationIds: [api],
        state: "RESOURCE_STATE_ACTIVE",
      });
      const rest = await server.rest("GET", `/v2/resources/${id}`);
      assert.deepEqual(rest.body.resource.uri, shown.uri);
      await must(call("UpdateResource", { id, name: "Workshop", scopes: {}, accessTokenLifetime: "0s" }));
      await must(call("UpdateResource", { id, state: "RESOURCE_STATE_INACTIVE", applications: {} }));
      const changed = (await must(call("GetResource", { id }))).resource;
      assert.deepEqual(
        [changed.name, changed.scopes, changed.accessTokenLifetime, changed.tokenFormat, changed.state],
        ["Workshop", undefined, undefined, "RESOURCE_TOKEN_FORMAT_JWT", "RESOURCE_STATE_INACTIVE"],
      );
      const again = await must(call("UpdateResource", { id, name: "Workshop" }));
      assert.deepEqual(again.changeDate, changed.changeDate, "the same changes nothing");
      assert.ok((await must(call("DeleteResource", { id }))).deletionDate);
      assert.deepEqual(await must(call("DeleteResource", { id })), {});
      assert.equal(slug(await call("GetResource", { id })), "resource.not_found");
      const events = await server.app.domain.database.read.all<{ type: string }>(
        sql`select type from events where aggregate_type = 'resource' and aggregate_id = ${id} order by sequence`,
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        ["resource.created", "resource.updated", "resource.updated", "resource.deleted"],
      );
    });

    await t.test("what cannot be is refused by name of the field", async () => {
      const foreignApi = await makeApi(server, otherProject);
      const uri = "https://checked.example";
      const scope = (name: string, descriptions: object = {}) => ({ scopes: [{ name, descriptions }] });
      const refusals: readonly (readonly [object, string, string])[] = [
        [{ uri: "http://checked.example" }, "resource.uri_invalid", "uri"],
        [{ uri: "https://user@checked.example" }, "resource.uri_invalid", "uri"],
        [{ name: "a\u202eb" }, "resource.name_invalid", "name"],
        [{ accessTokenLifetime: "86401s" }, "resource.lifetime_invalid", "accessTokenLifetime"],
        [{ accessTokenLifetime: "-1s" }, "resource.lifetime_invalid", "accessTokenLifetime"],
        [{ applicationIds: [foreignApi] }, "resource.application_unknown", "applicationIds"],
        [{ applicationIds: ["404"] }, "resource.application_unknown", "applicationIds"],
        [scope("openid"), "resource.scope_invalid", "scopes[0].name"],
        [scope("offline_access"), "resource.scope_invalid", "scopes[0].name"],
        [scope("urn:service:iam:api:admin:write"), "resource.scope_invalid", "scopes[0].name"],
        [scope("URN:other:iam:x"), "resource.scope_invalid", "scopes[0].name"],
        [scope("two words"), "resource.scope_invalid", "scopes[0].name"],
        [scope('quo"te'), "resource.scope_invalid", "scopes[0].name"],
        [{ scopes: [...scopes, ...scopes] }, "resource.scope_invalid", "scopes[1].name"],
        [scope("read", { xx: "Read" }), "resource.description_invalid", "scopes[0].descriptions"],
        [scope("read", { en: " " }), "resource.description_invalid", "scopes[0].descriptions"],
        [scope("read", { en: "a\u202eb" }), "resource.description_invalid", "scopes[0].descriptions"],
        [scope("read", { en: "x".repeat(301) }), "resource.description_invalid", "scopes[0].descriptions"],
      ];
      for (const [given, expected, name] of refusals) {
        const refused = await create(uri, given);
        assert.deepEqual([refused.status, slug(refused)], [400, expected], JSON.stringify(given));
        assert.ok(refused.body.message.includes(name), refused.body.message);
      }
      const { id } = await must(create(uri));
      assert.equal(
        slug(await call("UpdateResource", { id, scopes: { scopes: [{ name: "openid" }] } })),
        "resource.scope_invalid",
      );
      assert.equal(slug(await call("CreateResource", { projectId: "404", uri, name: "X" })), "project.not_found");
    });

    await t.test("a URI is of one organization forever, with all that lies in it and around it", async () => {
      const mine = (uri: string) => create(uri);
      const theirs = (uri: string) => create(uri, { projectId: otherProject });
      const { id } = await must(mine("https://api.bank.example/v1"));
      const taken = [
        "https://api.bank.example/v1",
        "https://API.bank.example:443/v1",
        "https://api.bank.example/v1/",
        "https://api.bank.example/V1",
        "https://api.bank.example/%761",
        "https://api.bank.example/v1/transfers",
        "https://api.bank.example",
        "https://api.bank.example/",
      ];
      const allTaken = async () => {
        for (const uri of taken) {
          const refused = await theirs(uri);
          assert.deepEqual([refused.status, slug(refused)], [409, "resource.uri_taken"], uri);
        }
      };
      await allTaken();
      assert.equal(slug(await mine("https://api.bank.example/%761")), "resource.uri_taken");
      await must(theirs("https://api.bank.example/v10"));
      await must(theirs("https://api.bank.example:8443/v1"));
      await must(mine("https://api.bank.example/v1/transfers"));
      await must(call("DeleteResource", { id }));
      await allTaken();
      await must(mine("https://api.bank.example/v1"));
    });

    await t.test("a URI stays that of an organization that is gone", async () => {
      const gone = await addOrganization(server, "Gone");
      const goneProject = await makeProject(server, gone, "Gone");
      await must(create("https://gone.example/api", { projectId: goneProject }));
      await must(server.connect("service.org.v2.OrganizationService/DeleteOrganization", { organizationId: gone }));
      const left = await server.app.domain.database.read.all(
        sql`select 1 from resources where project_id = ${goneProject}`,
      );
      assert.deepEqual(left, []);
      assert.equal(slug(await create("https://gone.example/api")), "resource.uri_taken");
    });

    await t.test("no tenant takes an address of this server, or at the proven domain of another", async () => {
      const { port } = new URL(server.origin);
      for (const uri of [
        server.origin,
        `${server.origin}/mcp`,
        `http://127.0.0.1:${port}/mcp`,
        `http://[::1]:${port}`,
        "https://localhost",
        "https://LOCALHOST:8443/mcp",
      ]) {
        const refused = await create(uri);
        assert.equal(slug(refused), "resource.uri_reserved", uri);
      }
      await must(create("http://localhost:1/mcp"));
      const { database } = server.app.domain;
      const instance = await server.app.domain.findInstanceByHost("localhost");
      const { instanceId = "" } = instance ?? {};
      const prove = (organization: string, domain: string) =>
        database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
          tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
            is_primary, validation_type, created_at, changed_at)
            values (${instanceId}, ${organization}, ${domain}, 1, 1, 0, 'none', 0, 0)`),
        );
      await prove(other, "proven.example");
      await prove(organizationId, "mine.proven.example");
      for (const uri of ["https://proven.example", "https://api.PROVEN.example/mcp"]) {
        assert.equal(slug(await create(uri)), "resource.uri_reserved", uri);
      }
      await must(create("https://api.mine.proven.example"));
      await must(create("https://notproven.example"));
      await must(create("https://api.proven.example/mcp", { projectId: otherProject }));
    });

    await t.test("are seen and changed by administrators of the project, and by no others", async () => {
      const { id } = await must(create("https://seen.example"));
      const owner = await addPerson(server, { username: "owner" });
      await appoint(server, owner, { projectId }, ["PROJECT_OWNER"]);
      const stranger = await addPerson(server, { username: "stranger", organizationId: other });
      await appoint(server, stranger, { organizationId: other }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, owner);
      const { token: strange } = await sessionOf(server, stranger);
      assert.equal((await must(call("GetResource", { id }, token))).resource.id, id);
      await must(call("UpdateResource", { id, name: "Seen" }, token));
      for (const method of ["GetResource", "UpdateResource", "DeleteResource"]) {
        assert.equal(
          slug(await call(method, { id, ...(method === "UpdateResource" && { name: "X" }) }, strange)),
          "resource.not_found",
          method,
        );
      }
      const denied = await call("CreateResource", { projectId, uri: "https://denied.example", name: "X" }, strange);
      assert.equal(slug(denied), "project.not_found");
      const listed = async (filters: object[], by?: string) => {
        const body = await must(call("ListResources", { filters, pagination: { asc: true } }, by));
        return (body.resources ?? []).map((resource: { uri: string }) => resource.uri);
      };
      const byUri = { uriFilter: { uri: "HTTPS://seen.example:443/" } };
      assert.deepEqual(await listed([byUri]), ["https://seen.example"]);
      assert.deepEqual(await listed([byUri, { projectId: { id: otherProject } }]), []);
      assert.deepEqual(await listed([byUri], token), ["https://seen.example"]);
      assert.deepEqual(await listed([byUri], strange), []);
      assert.deepEqual(
        await listed([{ nameFilter: { name: "seen", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } }]),
        ["https://seen.example"],
      );
      assert.deepEqual(await listed([{ resourceIds: { ids: [id] } }, { organizationId: { id: organizationId } }]), [
        "https://seen.example",
      ]);
    });

    await t.test("two organizations that claim an address and one inside it at once: one gets it", async () => {
      const outcomes = await Promise.all([
        create("https://race.example/a"),
        create("https://race.example/a/b", { projectId: otherProject }),
      ]);
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [200, 409]);
    });
  });

  test("a loopback address belongs to development: a server behind https refuses it", async (t) => {
    const server = await start(t, { config: { baseUrl: "https://auth.example" } });
    const rest = (path: string, body: object) => server.byHost("auth.example", "POST", path, { body });
    const organizations = await rest("/v2/organizations/_search", {});
    const organizationId = organizations.body.result[0].id;
    const { projectId } = (await rest(`/${projects}/CreateProject`, { organizationId, name: "Tools" })).body;
    const create = (uri: string) => rest(`/${service}/CreateResource`, { projectId, name: "Tools", uri });
    assert.equal(slug(await create("http://localhost:3000/mcp")), "resource.uri_invalid");
    for (const uri of ["https://auth.example", "https://AUTH.example:443/mcp", "https://auth.example:8443"]) {
      assert.equal(slug(await create(uri)), "resource.uri_reserved", uri);
    }
    assert.equal((await create("https://api.auth.example")).status, 200);
  });
});
