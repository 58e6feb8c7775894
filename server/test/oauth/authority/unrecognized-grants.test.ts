import assert from "node:assert/strict";
import { test } from "node:test";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { eachEngine } from "../../support/databases/databases.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { addResource } from "../../support/oidc/resources.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../../support/people/people.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { errorOf, isAsked, ok, projects } from "../support/registered-resources.ts";

const iam = "urn:service:iam";
const tools = "https://tools.evil.example";
const authorizations = "service.authorization.v2.AuthorizationService";

/** A user at home who has an application there, and an organization that grants its project to theirs. */
async function startTenants(t: Parameters<typeof startOidcServer>[0], engine: "sqlite" | "postgres") {
  const server = await startOidcServer(t, { engine });
  const home = await addOrganization(server, "Home");
  const lender = await addOrganization(server, "Lender Ltd");
  const owner = await addOwner(server, "owner", lender);
  const keeper = await addOwner(server, "keeper", home);
  const person = await addPerson(server, { username: "ada", organizationId: home });
  const made = { organizationId: lender, name: "Tools" };
  const { projectId } = await ok(server.connect(`${projects}/CreateProject`, made, owner.as));
  await addResource(server, projectId, tools, { scopes: [{ name: "tools:read" }] });
  await ok(
    server.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "guest", displayName: "Guest" }, owner.as),
  );
  const client = await addClient(server, {}, "Agent", home);
  const browser = await signedIn(server, person);
  const ask = async (parameters: Record<string, string>) => {
    const { page } = await visit(server, client, { prompt: "none", ...parameters }, browser);
    return isBack(page) ? "silent" : errorOf(page);
  };
  const outcomes = async () => [
    await ask({ scope: "openid email tools:read", resource: tools }),
    await ask({ scope: `openid ${iam}:org:project:id:${projectId}:aud` }),
  ];
  const grant = { projectId, grantedOrganizationId: home, roleKeys: ["guest"] };
  const over = { userId: person.userId, projectId, organizationId: home, roleKeys: ["guest"] };
  return { server, projectId, owner, keeper, client, browser, outcomes, grant, over };
}

async function addOwner(server: OidcServer, username: string, organizationId: string) {
  const person: Person = await addPerson(server, { username, organizationId });
  await appoint(server, person, { organizationId }, ["ORG_OWNER"]);
  const { token } = await sessionOf(server, person);
  return { person, as: { token } };
}

const asked = ["consent_required", "consent_required"];
const silent = ["silent", "silent"];

eachEngine((_open, engine) => {
  test("an organization that grants a project gets no tokens of the grantee's users without consent (A7)", async (t) => {
    const { server, owner, keeper, client, browser, outcomes, grant, over } = await startTenants(t, engine);
    assert.deepEqual(await outcomes(), asked);
    await ok(server.connect(`${projects}/CreateProjectGrant`, grant, owner.as));
    assert.deepEqual(await outcomes(), asked, "the owner of the project grants it to any organization");
    const { page } = await visit(server, client, { scope: "openid tools:read", resource: tools }, browser);
    assert.ok(isAsked(page), page.address);
    assert.match(page.html, /Lender Ltd/);
    await ok(server.connect(`${authorizations}/CreateAuthorization`, over, keeper.as));
    assert.deepEqual(await outcomes(), silent, "an administrator at home works with it");
    const { grantedOrganizationId, projectId } = grant;
    await ok(server.connect(`${projects}/DeleteProjectGrant`, { grantedOrganizationId, projectId }, owner.as));
    await ok(server.connect(`${projects}/CreateProjectGrant`, grant, owner.as));
    assert.deepEqual(await outcomes(), asked, "another grant");
    const security = "service.settings.v2.SettingsService/SetSecuritySettings";
    await ok(server.connect(security, { skipConsentAcrossOrganizations: true }));
    assert.deepEqual(await outcomes(), silent, "organizations that trust one another");
  });

  test("an application with some rights of an administrator recognizes no grant for them (A1)", async (t) => {
    const { server, owner, keeper, outcomes, grant, over } = await startTenants(t, engine);
    await ok(server.connect(`${projects}/CreateProjectGrant`, grant, owner.as));
    const { access_token: token = "" } = await server.tokens({
      user: keeper.person,
      scope: `openid ${iam}:api:admin:write`,
    });
    const { id } = await ok(server.connect(`${authorizations}/CreateAuthorization`, over, { token }));
    assert.deepEqual(await outcomes(), asked, "it assigns roles, and trusts no stranger");
    await ok(server.connect(`${authorizations}/DeleteAuthorization`, { id }, keeper.as));
    await ok(server.connect(`${authorizations}/CreateAuthorization`, over, keeper.as));
    assert.deepEqual(await outcomes(), silent);
  });
});
