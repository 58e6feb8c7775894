import assert from "node:assert/strict";
import { test } from "node:test";
import { inboxOf } from "../factor/support.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addOwnedOrganization, addServiceAccount, type OwnedOrganization } from "../support/people/owners.ts";
import { appoint, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { type RestAnswer, startServer, type TestServer } from "../support/servers/server.ts";
import { addClient, redirectUri, startOf } from "../support/sign-in/sign-in-client.ts";

const users = "service.user.v2.UserService";
const projects = "service.project.v2.ProjectService";
const applications = "service.application.v2.ApplicationService";
const permissions = "service.internal_permission.v2.InternalPermissionService";
const admin = "service.admin.v1.AdminService";

async function ok(answer: Promise<RestAnswer>): Promise<RestAnswer["body"]> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

interface Ids {
  readonly evilId: string;
  readonly bankId: string;
  readonly firmId: string;
  readonly projectId: string;
  readonly grantId: string;
  readonly ceo: string;
  readonly bob: string;
  readonly vera: string;
  readonly dan: string;
}

const human = (organizationId: string, username: string, email: string) => ({
  organizationId,
  username,
  human: {
    profile: { givenName: "A", familyName: "B" },
    email: { email, isVerified: true },
    password: { password: goodPassword },
  },
});

const appointing = (userId: string, organizationId: string) => ({
  userId,
  resource: { organizationId },
  roles: ["ORG_OWNER"],
});

const owningIn = async (server: TestServer, organizationId: string): Promise<OwnedOrganization> => {
  const owner = await addServiceAccount(server, organizationId, `new-owner-of-${organizationId}`);
  await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
  return { ...owner, organizationId } as OwnedOrganization;
};

/** Prepares what a server holds back because only an organization, or a manager in it, said it. */
async function prepare(source: TestServer): Promise<Ids> {
  const evil = await addOwnedOrganization(source, "Evil");
  const bank = await addOwnedOrganization(source, "Bank");
  const firm = await addOwnedOrganization(source, "Firm");
  const as = { token: evil.token };
  await scriptsOf(source).run(
    preUserinfo,
    "probe",
    'function probe(ctx, api) { api.v1.claims.setClaim("groups", ["portal-admins"]); }',
    evil,
  );
  const project = { organizationId: evil.organizationId, name: "Game" };
  const { projectId } = await ok(source.connect(`${projects}/CreateProject`, project, as));
  await ok(source.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "guest", displayName: "Guest" }, as));
  const oidcConfiguration = {
    redirectUris: [redirectUri],
    responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    applicationType: "OIDC_APP_TYPE_WEB",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  };
  await ok(source.connect(`${applications}/CreateApplication`, { projectId, name: "Game", oidcConfiguration }, as));
  const grant = { projectId, grantedOrganizationId: bank.organizationId, roleKeys: ["guest"] };
  await ok(source.connect(`${projects}/CreateProjectGrant`, grant, as));
  const listed = await source.rest("POST", `/management/v1/projects/${projectId}/grants/_search`, {
    body: {},
    headers: { "x-service-orgid": evil.organizationId },
  });
  const [{ grantId }] = listed.body.result;
  const create = async (by: { readonly token: string }, user: object): Promise<string> =>
    (await ok(source.connect(`${users}/CreateUser`, user, by))).id;
  const ceo = await create(evil, human(evil.organizationId, "ceo", "ceo@corp.example"));
  const bob = await create(bank, human(bank.organizationId, "bob", "bob@bank.example"));
  await ok(source.connect(`${permissions}/CreateAdministrator`, appointing(bob, evil.organizationId), as));
  // The owner of a project may not say what a user of the organization administers.
  const keeper = await addServiceAccount(source, evil.organizationId, "keeper");
  await appoint(source, keeper, { projectId }, ["PROJECT_OWNER"]);
  const keeping = { userId: ceo, resource: { projectId }, roles: ["PROJECT_OWNER"] };
  await ok(source.connect(`${permissions}/CreateAdministrator`, keeping, { token: keeper.token }));
  // A manager of the firm's users names addresses of their own; one of the users is appointed, the other one later.
  const manager = await addServiceAccount(source, firm.organizationId, "manager");
  await appoint(source, manager, { organizationId: firm.organizationId }, ["ORG_USER_MANAGER"]);
  const vera = await create(manager, human(firm.organizationId, "vera", "vera@evil.example"));
  const dan = await create(manager, human(firm.organizationId, "dan", "dan@evil.example"));
  await ok(source.connect(`${permissions}/CreateAdministrator`, appointing(vera, firm.organizationId), firm));
  const [evilId, bankId, firmId] = [evil.organizationId, bank.organizationId, firm.organizationId];
  return { evilId, bankId, firmId, projectId, grantId, ceo, bob, vera, dan };
}

const nameOf = async (server: TestServer, userId: string): Promise<string> =>
  (await ok(server.connect(`${users}/GetUserByID`, { userId }))).user.preferredLoginName;

/** Whether a user of the bank is asked before evil's application gets their data. */
async function asksBank(server: TestServer, { projectId, bob }: Ids): Promise<boolean> {
  const filters = [{ projectIdFilter: { projectId } }];
  const { applications: listed } = await ok(server.connect(`${applications}/ListApplications`, { filters }));
  const visitor = await visit(server, { start: startOf(listed[0].oidcConfiguration.clientId) }, {});
  const page = await enter(visitor, { loginName: await nameOf(server, bob), password: goodPassword });
  return !isBack(page) && new URL(page.address, server.origin).pathname === "/ui/login/consent";
}

/** How many links for a new password the page sends to an address. */
async function linksAfterForgetting(server: TestServer, userId: string, address: string): Promise<number> {
  const { browser, page } = await visit(server, await addClient(server, {}, "Reset"));
  const loginName = await nameOf(server, userId);
  const asked = await browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
  await browser.submit(await browser.open(asked.address.replace("/password?", "/forgotten?")), {});
  return (await inboxOf(server, address)).filter(({ text }) => text.includes("password-reset")).length;
}

/** What evil and others get at a server. */
async function measure(server: TestServer, ids: Ids) {
  const portal = await addClient(server, {}, "Portal");
  const visitor = await visit(server, portal, { scope: "openid profile email" });
  const back = await enter(visitor, { loginName: await nameOf(server, ids.ceo), password: goodPassword });
  assert.ok(isBack(back), back.address);
  const { body: tokens } = await portal.exchange(back.address, visitor.codeVerifier);
  const info = (await server.rest("GET", "/oidc/v1/userinfo", { token: tokens.access_token })).body;
  const headers = { "x-service-orgid": ids.evilId };
  const { body } = await server.rest("POST", "/management/v1/orgs/me/members/_search", { body: {}, headers });
  const { roles = [], pendingRoles = [] } = body.result.find(({ userId }: { userId: string }) => userId === ids.bob);
  const filters = [{ resource: { projectId: ids.projectId } }];
  const { administrators } = await ok(server.connect(`${permissions}/ListAdministrators`, { filters }));
  const owning = administrators.filter(({ roles: held = [] }: { roles?: string[] }) => held.length > 0);
  return {
    owners: owning.map(({ user: { preferredLoginName } }: RestAnswer["body"]) => preferredLoginName),
    offer: { roles, pendingRoles },
    claim: info.groups,
    email: [info.email, info.email_verified],
    asksBank: await asksBank(server, ids),
    linksToManager: await linksAfterForgetting(server, ids.vera, "vera@evil.example"),
  };
}

eachEngine((_open, engine) => {
  test("a move gives nothing more weight than it had", async (t) => {
    const source = await startServer(t, { engine });
    const ids = await prepare(source);
    source.clock.now += 120_000;
    const before = await measure(source, ids);
    assert.deepEqual(before, {
      owners: ["keeper@evil.localhost"],
      offer: { roles: [], pendingRoles: ["ORG_OWNER"] },
      claim: undefined,
      email: ["ceo@corp.example", false],
      asksBank: true,
      linksToManager: 0,
    });
    const orgIds = [ids.evilId, ids.bankId, ids.firmId];
    const { orgs } = await ok(source.connect(`${admin}/ExportData`, { orgIds, responseOutput: true }));
    const bank = orgs[1];
    // The lender's administrators of the grant may have assigned this: data does not say who did.
    bank.userGrants = [{ userId: ids.bob, projectId: ids.projectId, projectGrantId: ids.grantId, roleKeys: ["guest"] }];
    // A password that the importer adds is that of an owner: it also lets an owner in.
    const ofFirm = orgs[2].humanUsers.find(({ userId }: { userId: string }) => userId === ids.vera);
    ofFirm.user.password = goodPassword;

    const target = await startServer(t, { engine });
    const { errors = [] } = await ok(target.connect(`${admin}/ImportData`, { dataOrgs: { orgs } }));
    // They begin with the organization.
    assert.deepEqual(
      new Set(errors.map(({ type }: { type: string }) => type)),
      new Set(["domain"]),
      JSON.stringify(errors),
    );
    const owners = { evil: await owningIn(target, ids.evilId), bank: await owningIn(target, ids.bankId) };
    const firm = await owningIn(target, ids.firmId);
    const setPassword = (userId: string, by: { readonly token: string }) =>
      target.connect(`${users}/SetPassword`, { userId, newPassword: { password: goodPassword } }, { token: by.token });
    await ok(setPassword(ids.ceo, owners.evil));
    // Unanswered, the offer does not take the user from their home.
    await ok(setPassword(ids.bob, owners.bank));
    target.clock.now += 120_000;
    assert.deepEqual(await measure(target, ids), before);

    await t.test("an owner signs in with the password of the import", async () => {
      const visitor = await visit(target, await addClient(target, {}, "Own"));
      assert.ok(isBack(await enter(visitor, { loginName: await nameOf(target, ids.vera), password: goodPassword })));
    });

    await t.test("the address of a plain user works, until the user is appointed", async () => {
      assert.equal(await linksAfterForgetting(target, ids.dan, "dan@evil.example"), 1);
      await ok(target.connect(`${permissions}/CreateAdministrator`, appointing(ids.dan, ids.firmId), firm));
      target.clock.now += 120_000;
      assert.equal(await linksAfterForgetting(target, ids.dan, "dan@evil.example"), 1);
    });

    await t.test("what the bank says itself counts", async () => {
      const project = { projectId: ids.projectId, grantedOrganizationId: ids.bankId };
      for (const verb of ["Deactivate", "Activate"]) {
        await ok(target.connect(`${projects}/${verb}ProjectGrant`, project));
      }
      assert.equal(await asksBank(target, ids), false);
    });
  });

  test("a domain that an organization claimed takes no name from others after a move", async (t) => {
    const settings = { requireOrganizationDomainProof: false, loginNameIncludesDomain: false };
    const server = await startServer(t, { engine });
    await changeSettings(server, "domain", settings);
    const bank = await addOwnedOrganization(server, "Bank");
    const boss = human(bank.organizationId, "boss@corp.example", "boss@corp.example");
    const { id: userId } = await ok(server.connect(`${users}/CreateUser`, boss));
    const namesOf = async () => (await ok(server.connect(`${users}/GetUserByID`, { userId }))).user.loginNames;
    const names = await namesOf();
    assert.ok(names.includes("boss@corp.example"));
    const orgs = [{ orgId: "740", org: { name: "Evil" }, domains: [{ domainName: "corp.example" }] }];
    const { errors } = await ok(server.connect(`${admin}/ImportData`, { dataOrgs: { orgs } }));
    assert.equal(errors, undefined);
    assert.deepEqual(await namesOf(), names);
    // The control: the word of the instance does.
    const headers = { "x-service-orgid": "740" };
    await ok(server.rest("DELETE", "/management/v1/orgs/me/domains/corp.example", { headers }));
    await ok(server.rest("POST", "/management/v1/orgs/me/domains", { body: { domain: "corp.example" }, headers }));
    assert.ok(!(await namesOf()).includes("boss@corp.example"));
  });
});
