import assert from "node:assert/strict";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addOrganization, addPerson, defaultOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { signedIn } from "./support/sign-in.ts";

serversInTurn((start, test) => {
  test("projects granted by others do not push applications of the user's own organization off the page (M1)", async (t) => {
    const server = await start(t);
    const done = async (method: string, body: object) => {
      const answer = await server.connect(`service.${method}`, body);
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const bank = await addOrganization(server, "Bank");
    const evil = await addOrganization(server, "Evil");
    const person = await addPerson(server, { username: "teller", organizationId: bank });
    const addProject = async (organizationId: string): Promise<string> =>
      (await done("project.v2.ProjectService/CreateProject", { organizationId, name: "Project" })).projectId;
    const addApplication = (projectId: string, name: string) =>
      done("application.v2.ApplicationService/CreateApplication", {
        projectId,
        name,
        oidcConfiguration: { redirectUris: ["https://app.example/cb"], initiateLoginUri: "https://app.example/login" },
      });
    await addApplication(await addProject(bank), "Own banking");
    const projectId = await addProject(evil);
    const lent = { projectId, grantedOrganizationId: bank, roleKeys: [] };
    await done("project.v2.ProjectService/CreateProjectGrant", lent);
    for (let index = 0; index < 60; index++) await addApplication(projectId, `0 lent ${index}`);

    const { html } = await (await signedIn(server, person)).open("/");
    assert.ok(html.includes("Own banking"));
    assert.ok(html.indexOf("Own banking") < html.indexOf("0 lent"), "what is lent follows");
  });

  test("the start page leads to no application of another organization that the own one did not take up (M1)", async (t) => {
    const server = await start(t);
    const bank = await addOwnedOrganization(server, "Bank");
    const evil = await addOwnedOrganization(server, "Evil");
    const person = await addPerson(server, { username: "teller", organizationId: bank.organizationId });
    const { userId } = person;
    const done = async (method: string, body: object, token?: string) => {
      const by = token === undefined ? {} : { token };
      const answer = await server.connect(`service.${method}`, body, by);
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    let count = 0;
    const addProject = async (organizationId: string, token?: string): Promise<string> => {
      const wanted = { organizationId, name: `Project ${++count}` };
      const { projectId } = await done("project.v2.ProjectService/CreateProject", wanted, token);
      await done("project.v2.ProjectService/AddProjectRole", { projectId, roleKey: "reader", displayName: "R" }, token);
      const initiateLoginUri = "https://evil.example/login";
      const oidcConfiguration = { redirectUris: ["https://evil.example/cb"], initiateLoginUri };
      const app = { projectId, name: `Payroll ${projectId}`, oidcConfiguration };
      await done("application.v2.ApplicationService/CreateApplication", app, token);
      return projectId;
    };
    const assign = (projectId: string, organizationId: string, token?: string) => {
      const role = { userId, projectId, organizationId, roleKeys: ["reader"] };
      return done("authorization.v2.AuthorizationService/CreateAuthorization", role, token);
    };
    const grantedOrganizationId = bank.organizationId;
    const lend = (projectId: string, token?: string) =>
      done(
        "project.v2.ProjectService/CreateProjectGrant",
        { projectId, grantedOrganizationId, roleKeys: ["reader"] },
        token,
      );

    const lent = await addProject(evil.organizationId, evil.token);
    await lend(lent, evil.token);
    const assigned = await addProject(evil.organizationId, evil.token);
    await assign(assigned, evil.organizationId, evil.token);
    const shared = await addProject(await defaultOrganization(server));
    await assign(shared, await defaultOrganization(server));
    const browser = await signedIn(server, person);
    const isShown = async (projectId: string) => (await browser.open("/")).html.includes(`Payroll ${projectId}`);
    assert.equal(await isShown(lent), false, "a grant that the own organization did nothing with");
    assert.equal(await isShown(assigned), false, "a role that another organization gave");
    assert.equal(await isShown(shared), true, "the default organization serves all others");
    await assign(lent, bank.organizationId, bank.token);
    assert.equal(await isShown(lent), true, "the own administrators use the grant");
    await lend(assigned);
    assert.equal(await isShown(assigned), true, "an administrator of the instance speaks for both");
  });
});
