import assert from "node:assert/strict";
import { publishedRoles } from "../access/support/model.ts";
import { readRows } from "../access/support/rows.ts";
import { refusalOf, slugOf } from "../factor/support.ts";
import { fetch } from "../support/http/fetch.ts";
import { basicOf, type OidcSetup, setUpOidc } from "../support/oidc/oidc.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const v2 = "service.authorization.v2.AuthorizationService";
const v1 = "service.management.v1.ManagementService";
const sessions = "service.session.v2.SessionService";
const users = "service.user.v2.UserService";
const jobs = "service.job.v2.JobService";
const positions = "service.internal_permission.v2.InternalPermissionService";

/** Each write that a sign-in application holds besides those of one account (`login-client.test.ts`), by its test. */
const provenHere: readonly string[] = [
  ...["CreateAuthorization", "UpdateAuthorization", "ActivateAuthorization", "DeactivateAuthorization"].map(
    (name) => `${v2}/${name}`,
  ),
  ...["AddUserGrant", "UpdateUserGrant", "DeactivateUserGrant", "ReactivateUserGrant"].map((name) => `${v1}/${name}`),
  `${sessions}/SetSession`,
  `${sessions}/DeleteSession`,
  `${jobs}/CreateJob`,
  `${jobs}/CancelJob`,
];

/** What others test, or what a sign-in application is there for: new people and sessions, answers to applications. */
const provenElsewhere =
  /\/(Add|Update)(IAM|Org|Project|ProjectGrant)Member$|\/(Create|Update)Administrator$|\/(CreateUser|AddHumanUser|ImportHumanUser|AddMachineUser|CreateSession|CreateCallback|CreateResponse|AuthorizeOrDenyDeviceAuthorization|CreateSetupLink|RevokeSetupLink)$/;

interface Fixtures extends OidcSetup {
  readonly shopper: Person;
  readonly authorizationId: string;
  readonly elsewhere: string;
}

async function setUp(server: TestServer): Promise<Fixtures> {
  const oidc = await setUpOidc(server);
  const { projectId, organizationId } = oidc;
  for (const roleKey of ["reader", "admin"]) {
    const role = { projectId, roleKey, displayName: roleKey };
    assert.equal(
      slugOf(await server.connect("service.project.v2.ProjectService/AddProjectRole", role)),
      "done",
      roleKey,
    );
  }
  const shopper = await addPerson(server, { username: "shopper" });
  const made = await server.connect(`${v2}/CreateAuthorization`, {
    userId: shopper.userId,
    projectId,
    organizationId,
    roleKeys: ["reader"],
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return { ...oidc, shopper, authorizationId: made.body.id, elsewhere: await addOrganization(server, "Elsewhere") };
}

/** A token of the service account that names the rights that it may use, so that `session.link` is not among them. */
async function narrowedTokenOf(server: TestServer, token: string): Promise<string> {
  const { user } = (await server.rest("GET", "/auth/v1/users/me", { token })).body;
  const secret = await server.rest("POST", `/v2/users/${user.id}/secret`, { body: {} });
  assert.ok(secret.body.clientSecret, JSON.stringify(secret.body));
  const { preferredLoginName } = (await server.connect(`${users}/GetUserByID`, { userId: user.id })).body.user;
  const scope = "openid urn:service:iam:org:project:id:service:aud urn:service:iam:api:admin:write";
  const answer = await fetch(`${server.origin}/oauth/v2/token`, {
    method: "POST",
    headers: basicOf(preferredLoginName, secret.body.clientSecret),
    body: new URLSearchParams({ grant_type: "client_credentials", scope }),
  });
  const issued = (await answer.json()) as { readonly access_token: string };
  assert.ok(issued.access_token, JSON.stringify(issued));
  return issued.access_token;
}

serversInTurn((start, test) => {
  test("every write that a sign-in application holds has its test (A14)", () => {
    const held = publishedRoles.get("IAM_LOGIN_CLIENT")?.permissions ?? new Set();
    const without = [...readRows().values()]
      .filter(({ about, permissions, isForEverybody }) => {
        const writes = permissions.some((permission) => held.has(permission) && !permission.endsWith(".read"));
        return writes && !isForEverybody && about !== "user" && about !== "machine";
      })
      .map(({ method }) => method)
      .filter((method) => !provenHere.includes(method) && !provenElsewhere.test(method));
    assert.deepEqual(without, []);
  });

  test("a sign-in application assigns no roles, to any user, by any method (A14)", async (t) => {
    const server = await start(t);
    const { loginToken, projectId, organizationId, user, shopper, authorizationId } = await setUp(server);
    // They have just signed in with it: a proof of identity gives no role.
    const checks = { user: { userId: shopper.userId }, password: { password: shopper.password } };
    assert.equal((await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } })).status, 201);
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token: ownerToken } = await sessionOf(server, owner);
    const list = async () =>
      (await server.connect(`${v2}/ListAuthorizations`, {})).body.authorizations.map(
        (one: { user: { id: string }; state: string; roles: { key: string }[] }) =>
          `${one.user.id} ${one.state} ${one.roles.map(({ key }) => key).join()}`,
      );
    const userId = shopper.userId;
    const writes: readonly (readonly [method: string, body: object])[] = [
      [`${v2}/CreateAuthorization`, { userId: user.userId, projectId, organizationId, roleKeys: ["admin"] }],
      [`${v2}/UpdateAuthorization`, { id: authorizationId, roleKeys: ["admin"] }],
      [`${v2}/DeactivateAuthorization`, { id: authorizationId }],
      [`${v2}/ActivateAuthorization`, { id: authorizationId }],
      [`${v1}/AddUserGrant`, { userId: owner.userId, projectId, roleKeys: ["admin"] }],
      [`${v1}/UpdateUserGrant`, { userId, grantId: authorizationId, roleKeys: ["reader"] }],
      [`${v1}/DeactivateUserGrant`, { userId, grantId: authorizationId }],
      [`${v1}/ReactivateUserGrant`, { userId, grantId: authorizationId }],
    ];
    const before = await list();
    const headers = { "x-service-orgid": organizationId };
    const call = (method: string, body: object, token: string) =>
      server.rest("POST", `/${method}`, { body, token, headers });
    const narrowed = await narrowedTokenOf(server, loginToken);
    for (const [method, body] of writes) {
      assert.equal(slugOf(await call(method, body, loginToken)), "permission.missing", method);
      assert.equal(slugOf(await call(method, body, narrowed)), "permission.missing", `${method} by a narrowed token`);
      assert.deepEqual(await list(), before, method);
      assert.equal(slugOf(await call(method, body, ownerToken)), "done", `${method} by an owner`);
      before.splice(0, before.length, ...(await list()));
    }
  });

  test("a sign-in application creates and cancels no job (A14)", async (t) => {
    const server = await start(t);
    const { loginToken, organizationId, shopper } = await setUp(server);
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
    const { token: ownerToken } = await sessionOf(server, owner);
    const narrowed = await narrowedTokenOf(server, loginToken);
    const body = { organizationId, userIds: { userIds: [shopper.userId] }, resendInvitation: {} };
    const create = (token: string) => server.connect(`${jobs}/CreateJob`, body, { token });
    for (const token of [loginToken, narrowed])
      assert.match(slugOf(await create(token)), /^(permission|job|authentication)\./);
    const made = await create(ownerToken);
    assert.equal(slugOf(made), "done", JSON.stringify(made.body));
    const cancel = (token: string) => server.connect(`${jobs}/CancelJob`, { id: made.body.job.id }, { token });
    for (const token of [loginToken, narrowed])
      assert.match(slugOf(await cancel(token)), /^(permission|job|authentication)\./);
    const read = await server.connect(`${jobs}/GetJob`, { id: made.body.job.id }, { token: ownerToken });
    assert.notEqual(read.body.job?.state, "JOB_STATE_CANCELED");
  });

  test("a sign-in application accepts no role, for itself or another service account (A14, A15)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUp(server);
    const near = await addOwnedOrganization(server, "Near");
    const home = await addOwnedOrganization(server, "Home");
    const robot = await addServiceAccount(server, home.organizationId, "robot");
    const self = (await server.rest("GET", "/auth/v1/users/me", { token: loginToken })).body.user?.id as string;
    const resource = { organizationId: near.organizationId };
    const roles = ["ORG_USER_MANAGER"];
    const offer = (userId: string) =>
      server.connect(`${positions}/CreateAdministrator`, { userId, resource, roles }, { token: near.token });
    const accept = async (userId: string, token: string) =>
      slugOf(await server.connect(`${positions}/AcceptAppointment`, { userId, resource, roles }, { token }));
    for (const userId of [self, robot.userId]) {
      assert.equal((await offer(userId)).body.state, "ADMINISTRATOR_STATE_PENDING");
      assert.equal(
        await accept(userId, loginToken),
        userId === self ? "membership.not_asked" : "user.login_client_unproven",
      );
    }
    assert.equal(await accept(robot.userId, robot.token), "membership.not_asked", "the account itself");
    assert.equal(await accept(robot.userId, home.token), "done", "its home organization");
    assert.equal(await accept(self, server.ownerToken), "done");
  });

  test("a sign-in application chooses no ids, and reaches no users through a grant (A9, A14)", async (t) => {
    const server = await start(t);
    const { loginToken, elsewhere } = await setUp(server);
    const add = async (userId: string | undefined, token?: string) => {
      const human = {
        profile: { givenName: "A", familyName: "B" },
        email: { email: "id@mail.example", isVerified: true },
      };
      const body = { organizationId: elsewhere, username: `id-${userId}`, userId, human };
      return slugOf(await server.connect(`${users}/CreateUser`, body, token === undefined ? {} : { token }));
    };
    assert.equal(await add("chosen", loginToken), "identifier.choice_denied");
    assert.equal(await add(undefined, loginToken), "done");
    assert.equal(await add("chosen"), "done");

    const [lender, home] = [await addOwnedOrganization(server, "Lender"), await addOwnedOrganization(server, "Lent")];
    const projects = "service.project.v2.ProjectService";
    const by = { token: lender.token };
    const made = await server.connect(
      `${projects}/CreateProject`,
      { organizationId: lender.organizationId, name: "P" },
      by,
    );
    const { projectId } = made.body;
    await server.connect(`${projects}/AddProjectRole`, { projectId, roleKey: "reader", displayName: "Reader" }, by);
    const lent = { projectId, grantedOrganizationId: home.organizationId, roleKeys: ["reader"] };
    assert.equal((await server.connect(`${projects}/CreateProjectGrant`, lent, by)).status, 200);
    const helper = await addServiceAccount(server, lender.organizationId, "helper");
    await appoint(server, helper, { instance: true }, ["IAM_LOGIN_CLIENT"]);
    const position = {
      userId: helper.userId,
      resource: { projectGrant: { projectId, organizationId: home.organizationId } },
      roles: ["PROJECT_GRANT_OWNER"],
    };
    assert.equal((await server.connect(`${positions}/CreateAdministrator`, position, by)).status, 200);
    const { userId } = await addPerson(server, { username: "lent", organizationId: home.organizationId });
    const role = { userId, projectId, organizationId: home.organizationId, roleKeys: ["reader"] };
    const assign = async (token: string) => slugOf(await server.connect(`${v2}/CreateAuthorization`, role, { token }));
    assert.equal(await assign(helper.token), "authorization.user_not_found");
    assert.equal(await assign(home.token), "done");
  });

  test("the word of a sign-in application reaches no further than that of the user's organization (A14)", async (t) => {
    const server = await start(t);
    const { loginToken, elsewhere } = await setUp(server);
    const home = await addOwnedOrganization(server, "Home");
    const email = { email: "chief@home.example", isVerified: true };
    const add = async (organizationId: string, username: string, token: string): Promise<string> => {
      const human = { profile: { givenName: "A", familyName: "B" }, email };
      const made = await server.connect(`${users}/CreateUser`, { organizationId, username, human }, { token });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      return made.body.id;
    };
    const meant = async (): Promise<string> => {
      const checks = { user: { loginName: email.email } };
      const { body } = await server.connect(`${sessions}/CreateSession`, { checks }, { token: loginToken });
      const { sessionId } = body;
      const read = await server.connect(`${sessions}/GetSession`, { sessionId }, { token: loginToken });
      return read.body.session.factors.user.id;
    };
    const chief = await add(home.organizationId, "chief", home.token);
    assert.equal(await meant(), chief);
    server.clock.now += 60_000;
    await add(elsewhere, "impostor", loginToken);
    assert.equal(await meant(), chief, "the first word of an organization stays");
    server.clock.now += 60_000;
    const known = {
      organizationId: elsewhere,
      username: "known",
      human: { profile: { givenName: "A", familyName: "B" }, email },
    };
    const made = await server.connect(`${users}/CreateUser`, known, {});
    assert.equal(await meant(), made.body.id, "the word of the instance comes before it");
  });

  test("a sign-in application adds to its own sessions alone, and ends others by their token (A14)", async (t) => {
    const server = await start(t);
    const { loginToken, shopper, elsewhere } = await setUp(server);
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    const stranger = await addPerson(server, { username: "stranger", organizationId: elsewhere });
    for (const person of [owner, shopper, stranger]) {
      const { sessionId, token } = await sessionOf(server, person);
      const set = { sessionId, metadata: { a: "YQ==" } };
      const write = (name: string, body: object, by: string | undefined) =>
        server.connect(`${sessions}/${name}`, body, by === undefined ? {} : { token: by });
      assert.equal(slugOf(await write("SetSession", set, loginToken)), "permission.missing", "its token is not given");
      assert.equal(slugOf(await write("DeleteSession", { sessionId }, loginToken)), "permission.missing");
      assert.equal(await refusalOf(server, "GetUserByID", { userId: person.userId }, token), "done", "it goes on");
      assert.equal(slugOf(await write("DeleteSession", { sessionId, sessionToken: token }, loginToken)), "done");
      const checks = { user: { userId: person.userId }, password: { password: person.password } };
      const own = await write("CreateSession", { checks }, loginToken);
      assert.equal(own.status, 200);
      const ownId = own.body.sessionId;
      assert.equal(slugOf(await write("SetSession", { ...set, sessionId: ownId }, loginToken)), "done");
      assert.equal(slugOf(await write("DeleteSession", { sessionId: ownId }, loginToken)), "done");
      const other = await sessionOf(server, person);
      const ofOwner = { ...set, sessionId: other.sessionId };
      assert.equal(slugOf(await write("SetSession", ofOwner, undefined)), "done", "an owner of the instance does");
    }
  });
});
