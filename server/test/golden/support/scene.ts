import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { setUpOidc } from "../../support/oidc/oidc.ts";
import { appoint } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";

const apiScope = "openid urn:service:iam:org:project:id:service:aud";

/** What the listed operations are about: ids and tokens by the names that operations and golden files use. */
export async function makeScene(server: TestServer, mailHost: string): Promise<Record<string, string>> {
  const oidc = await setUpOidc(server);
  await oidc.trust();
  const { organizationId: organization, projectId: project, user } = oidc;
  const ask = async (path: string, body: object) => {
    const answer = await server.rest("POST", path, { body });
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const partner = (await ask("/v2/organizations", { name: "Partner" })).organizationId;
  for (const roleKey of ["reader", "writer"]) {
    const role = { projectId: project, roleKey, displayName: roleKey, group: "staff" };
    await ask("/service.project.v2.ProjectService/AddProjectRole", role);
  }
  const grant = { projectId: project, grantedOrganizationId: partner, roleKeys: ["reader"] };
  await ask("/service.project.v2.ProjectService/CreateProjectGrant", grant);
  const { database } = server.app.domain;
  const row = await database.read.maybe<{ id: string }>(
    sql`select grant_id as "id" from project_grants where project_id = ${project}`,
  );
  const assigned = { userId: user.userId, projectId: project, organizationId: organization, roleKeys: ["writer"] };
  const { id: authorization } = await ask(
    "/service.authorization.v2.AuthorizationService/CreateAuthorization",
    assigned,
  );
  const { id: machine } = await ask("/v2/users/new", {
    organizationId: organization,
    username: "robot",
    machine: { name: "Robot", description: "Sweeps" },
  });
  const { tokenId: pat } = await ask(`/v2/users/${machine}/pats`, { expirationDate: "2030-01-01T00:00:00Z" });
  const { userId } = user;
  await appoint(server, user, { projectId: project }, ["PROJECT_OWNER"]);
  const granted = { projectGrant: { projectId: project, organizationId: partner } };
  await appoint(server, user, granted, ["PROJECT_GRANT_OWNER"]);
  await appoint(server, user, { organizationId: organization }, ["ORG_OWNER_VIEWER"]);
  const sender = { senderAddress: "doorward@mail.example", senderName: "Doorward", description: "first" };
  const { id: smtp } = await ask("/admin/v1/email/smtp", { ...sender, host: mailHost, none: {} });
  const http = { endpoint: "https://hooks.example/mail", description: "second" };
  const { id: httpProvider } = await ask("/admin/v1/email/http", http);
  const { access_token: token = "" } = await oidc.tokens({ scope: apiScope });
  return {
    organization,
    partner,
    project,
    grant: row?.id ?? "",
    authorization,
    user: userId,
    machine,
    pat,
    smtp,
    httpProvider,
    mailHost,
    token,
  };
}
