import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { deleteRegistration } from "../../src/domain/deletion/index.ts";
import { openRegistrationToken } from "../../src/domain/registration/index.ts";
import { slugOf } from "../factor/support.ts";
import { makeRegistrar, minimal, registered, registrationPath, setRegistration } from "../support/oidc/registration.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const organizations = "service.org.v2.OrganizationService";
const projects = "service.project.v2.ProjectService";
const applications = "service.application.v2.ApplicationService";
const groups = "service.group.v2.GroupService";

eachServer((start) => {
  test("what is in an organization that the instance deactivated is deleted by the instance alone (A15)", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Tenant");
    const owner = await addPerson(server, {
      username: "elsewhere",
      organizationId: await addOrganization(server, "Else"),
    });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const headers = { "x-service-orgid": organizationId };
    let count = 0;
    const call = async (method: string, body: object, as?: string) => {
      const answer = await server.connect(method, body, as === undefined ? {} : { token: as });
      assert.equal(answer.status, 200, `${method} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    /** Makes one of each; returns ways to delete them. */
    const make = async () => {
      const name = `thing-${++count}`;
      const { userId } = await addPerson(server, { username: name, organizationId });
      const { projectId } = await call(`${projects}/CreateProject`, { organizationId, name });
      const { projectId: around } = await call(`${projects}/CreateProject`, { organizationId, name: `${name} around` });
      const apiConfiguration = { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" };
      const { applicationId } = await call(`${applications}/CreateApplication`, {
        projectId: around,
        name,
        apiConfiguration,
      });
      const { id: groupId } = await call(`${groups}/CreateGroup`, { organizationId, name });
      const idp = {
        name,
        issuer: "https://issuer.example",
        clientId: "client",
        clientSecret: "secret",
        providerOptions: { isLinkingAllowed: true },
      };
      const added = await server.rest("POST", "/management/v1/idps/generic_oidc", { headers, body: idp });
      assert.equal(added.status, 200, JSON.stringify(added.body));
      const script = await server.rest("POST", "/management/v1/actions", { headers, body: { name, script: "1" } });
      assert.equal(script.status, 200, JSON.stringify(script.body));
      const connect = (method: string, body: object) => (as?: string) =>
        server.connect(method, body, as === undefined ? {} : { token: as });
      return {
        user: connect("service.user.v2.UserService/DeleteUser", { userId }),
        project: connect(`${projects}/DeleteProject`, { projectId }),
        application: connect(`${applications}/DeleteApplication`, { projectId: around, applicationId }),
        group: connect(`${groups}/DeleteGroup`, { id: groupId }),
        provider: (as?: string) =>
          server.rest("DELETE", `/management/v1/idps/templates/${added.body.id}`, {
            headers,
            ...(as !== undefined && { token: as }),
          }),
        action: (as?: string) =>
          server.rest("DELETE", `/management/v1/actions/${script.body.id}`, {
            headers,
            ...(as !== undefined && { token: as }),
          }),
      };
    };
    const all = async (things: Awaited<ReturnType<typeof make>>, as?: string) => {
      const done: Record<string, string> = {};
      for (const [kind, remove] of Object.entries(things)) done[kind] = slugOf(await remove(as));
      return done;
    };
    const each = (slug: string) => ({
      user: slug,
      project: slug,
      application: slug,
      group: slug,
      provider: slug,
      action: slug,
    });

    assert.deepEqual(await all(await make(), token), each("done"), "of an active organization");
    const things = await make();
    const own = await make();
    await call(`${organizations}/DeactivateOrganization`, { organizationId });
    assert.deepEqual(await all(things, token), each("permission.missing"));
    assert.deepEqual(await all(things), each("done"), "by an administrator of the instance");
    await call(`${organizations}/ActivateOrganization`, { organizationId });
    await call(`${organizations}/DeactivateOrganization`, { organizationId }, token);
    assert.deepEqual(await all(own, token), each("done"), "its own owner deactivated it");
  });

  test("a client that registered itself there does not delete itself either (A15)", async (t) => {
    const server = await start(t);
    const { domain } = server.app;
    const organizationId = await addOrganization(server, "Tenant");
    await setRegistration(server, "token");
    const registrar = await makeRegistrar(server, organizationId);
    const { client_id: clientId, registration_access_token: token } = await registered(
      server,
      minimal,
      registrar.token,
    );
    const found = await domain.database.read.maybe<{ instanceId: string }>(
      sql`select instance_id as "instanceId" from registrations where client_id = ${clientId}`,
    );
    const instanceId = found?.instanceId ?? "";
    const tokenHash = openRegistrationToken(domain, token, { instanceId, clientId }) ?? "";
    // The endpoint asks before the unit of work, so the organization may have been deactivated in between.
    const remove = () => deleteRegistration(domain, testCall({ instanceId }), { clientId, tokenHash });
    const ask = () => server.rest("DELETE", `${registrationPath}/${clientId}`, { token });
    const move = async (name: string) =>
      assert.equal((await server.connect(`${organizations}/${name}`, { organizationId })).status, 200);
    await move("DeactivateOrganization");
    assert.equal((await ask()).status, 404);
    assert.equal(await remove(), false);
    await move("ActivateOrganization");
    assert.equal((await ask()).status, 204);
  });
});
