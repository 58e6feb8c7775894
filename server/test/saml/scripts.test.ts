import assert from "node:assert/strict";
import { scriptsOf } from "../script/support/scripts.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addProject, decodeResponse, nodeSaml, postedBy, register, signInAt, startNow, statusesOf } from "./support.ts";

const preSamlResponse = ["4", "6"] as const;

async function answer(server: TestServer, person: Person) {
  const { entityId } = await register(server);
  const sp = await nodeSaml(server, entityId);
  const { page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), person);
  const { fields } = postedBy(page);
  return { sp, fields };
}

serversInTurn((start, test, both) => {
  test("scripts of the user's organization add attributes to a SAML response, and replace none", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    await scriptsOf(server).run(
      preSamlResponse,
      "roles",
      `function roles(ctx, api) {
        api.v1.attributes.setCustomAttribute("Team", "", "<red>", "blue");
        for (const name of ["UserID", "userid", " USERID\\t", "ＵserID"]) {
          api.v1.attributes.setCustomAttribute(name, "", "another user");
        }
      }`,
    );
    const { sp, fields } = await answer(server, ada);
    assert.ok(!decodeResponse(fields).includes("another user"));
    const { profile } = await sp.validatePostResponseAsync(fields);
    assert.deepEqual(profile?.["Team"], ["<red>", "blue"]);
    assert.equal(profile?.["UserID"], ada.userId);
  });

  both("what was taken away while a script ran long is in no response", async (t) => {
    const server = await startNow(start, t);
    const receiver = await startReceiver(t);
    const { userId, organizationId, ...ada } = await addPerson(server, { username: "ada" });
    const projectId = await addProject(server, { authorizationRequired: true });
    const { entityId, applicationId } = await register(server, {}, { projectId });
    const call = async (method: string, body: object) => {
      const answered = await server.connect(`service.${method}`, body);
      assert.equal(answered.status, 200, JSON.stringify(answered.body));
      return answered.body;
    };
    await call("project.v2.ProjectService/AddProjectRole", { projectId, roleKey: "reader", displayName: "Reader" });
    const assigned = { userId, projectId, organizationId, roleKeys: ["reader"] };
    const service = "authorization.v2.AuthorizationService";
    const { id } = await call(`${service}/CreateAuthorization`, assigned);
    const script = `function slow() { require("zitadel/http").fetch("${receiver.origin}/"); }`;
    await scriptsOf(server).run(preSamlResponse, "slow", script);
    const sp = await nodeSaml(server, entityId);
    const signIn = async (meanwhile: () => Promise<unknown>) => {
      receiver.answer = (_request, response) =>
        void meanwhile().then(
          () => setTimeout(() => response.end(), 1_050),
          () => response.destroy(),
        );
      const { page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), ada);
      return page.forms.length === 0 ? page.html : decodeResponse(postedBy(page).fields);
    };
    assert.deepEqual(statusesOf(await signIn(async () => {})), ["Success"], "a long script alone refuses nothing");
    const withoutRole = await signIn(() => call(`${service}/DeleteAuthorization`, { id }));
    assert.deepEqual(statusesOf(withoutRole), ["Responder", "RequestDenied"]);
    assert.ok(!withoutRole.includes(userId));
    await call(`${service}/CreateAuthorization`, assigned);
    const application = "application.v2.ApplicationService";
    const inactive = await signIn(() => call(`${application}/DeactivateApplication`, { applicationId, projectId }));
    assert.ok(!inactive.includes(userId) && !statusesOf(inactive).includes("Success"), inactive);
    assert.equal(receiver.received.length, 3);
  });

  test("a script that fails and may not ends in an error for the service provider", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    await scriptsOf(server).run(preSamlResponse, "failing", "function failing() { throw new Error('no'); }");
    const { sp, fields } = await answer(server, ada);
    assert.equal(statusesOf(decodeResponse(fields))[0], "Responder");
    await assert.rejects(sp.validatePostResponseAsync(fields));
  });
});
