import assert from "node:assert/strict";
import { addOrganization, addPerson, defaultOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { signedIn } from "./support/sign-in.ts";

/** Makes a project with one application of the same name at which a sign-in can be started. */
async function addProject(server: TestServer, name: string, demands: object = {}): Promise<Project> {
  const organizationId = await defaultOrganization(server);
  const call = async (method: string, body: object) => {
    const answer = await server.connect(method, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const service = "service.project.v2.ProjectService";
  const { projectId } = await call(`${service}/CreateProject`, { organizationId, name, ...demands });
  await call(`${service}/AddProjectRole`, { projectId, roleKey: "reader", displayName: "Reader" });
  const { applicationId } = await call("service.application.v2.ApplicationService/CreateApplication", {
    projectId,
    name,
    oidcConfiguration: {
      redirectUris: ["https://app.example/callback"],
      initiateLoginUri: `https://app.example/login?app=${name}`,
    },
  });
  return { projectId, applicationId, organizationId, call };
}

interface Project {
  readonly projectId: string;
  readonly applicationId: string;
  readonly organizationId: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly call: (method: string, body: object) => Promise<any>;
}

/** Names of the applications that the start page offers. */
async function offered(browser: TestBrowser): Promise<string[]> {
  const { html } = await browser.open("/");
  return [...html.matchAll(/app=(\w+)&amp;iss=/g)].map(([, name = ""]) => name);
}

serversInTurn((start, test) => {
  test("the start page leads to the applications that let the user in, with us as issuer", async (t) => {
    const server = await start(t);
    const open = await addProject(server, "Open");
    await addProject(server, "Roles", { authorizationRequired: true });
    const roles = await addProject(server, "Needed", { authorizationRequired: true });
    await addProject(server, "Access", { projectAccessRequired: true });
    const lent = await addProject(server, "Lent", { projectAccessRequired: true });
    const elsewhere = await addOrganization(server, "Elsewhere");
    const grant = { projectId: lent.projectId, grantedOrganizationId: elsewhere, roleKeys: ["reader"] };
    await lent.call("service.project.v2.ProjectService/CreateProjectGrant", grant);

    const ada = await addPerson(server, { username: "ada" });
    const eve = await addPerson(server, { username: "eve", organizationId: elsewhere });
    const assignment = { userId: ada.userId, projectId: roles.projectId, roleKeys: ["reader"] };
    const authorization = { ...assignment, organizationId: roles.organizationId };
    await roles.call("service.authorization.v2.AuthorizationService/CreateAuthorization", authorization);

    assert.deepEqual(await offered(new TestBrowser(server)), [], "nobody is signed in");
    const adas = await signedIn(server, ada);
    assert.deepEqual(await offered(adas), ["Access", "Lent", "Needed", "Open"]);
    assert.deepEqual(await offered(await signedIn(server, eve)), ["Lent"]);
    const { html } = await adas.open("/");
    const issuer = encodeURIComponent(server.origin);
    assert.ok(html.includes(`href="https://app.example/login?app=Open&amp;iss=${issuer}"`), html);

    const { applicationId, projectId } = open;
    await open.call("service.application.v2.ApplicationService/DeactivateApplication", { applicationId, projectId });
    await open.call("service.project.v2.ProjectService/DeactivateProject", { projectId: roles.projectId });
    const cleared = { applicationId: lent.applicationId, projectId: lent.projectId };
    const oidcConfiguration = { initiateLoginUri: "" };
    const update = { ...cleared, oidcConfiguration };
    await lent.call("service.application.v2.ApplicationService/UpdateApplication", update);
    assert.deepEqual(await offered(adas), ["Access"]);
  });
});
