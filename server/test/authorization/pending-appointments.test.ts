import assert from "node:assert/strict";
import { slugOf } from "../factor/support.ts";
import { addOwnedOrganization, addServiceAccount, type OwnedOrganization } from "../support/people/owners.ts";
import { addPerson, type Person, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const permissions = "service.internal_permission.v2.InternalPermissionService";

interface Stage {
  readonly server: TestServer;
  /** The organization that appoints. */
  readonly near: OwnedOrganization;
  /** The organization of the person. */
  readonly home: OwnedOrganization;
  readonly person: Person;
  /** A project of the near organization, granted to a third one. */
  readonly projectId: string;
  readonly third: OwnedOrganization;
}

const administer = (server: TestServer, method: string, body: object, token?: string): Promise<RestAnswer> =>
  server.connect(`${permissions}/${method}`, body, token === undefined ? {} : { token });

async function done(answer: Promise<RestAnswer>): Promise<RestAnswer["body"]> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const refused = async (answer: Promise<RestAnswer>): Promise<string> => slugOf(await answer);

async function makeStage(server: TestServer): Promise<Stage> {
  const near = await addOwnedOrganization(server, "Near");
  const home = await addOwnedOrganization(server, "Home");
  const third = await addOwnedOrganization(server, "Third");
  const person = await addPerson(server, { username: "quetzal", organizationId: home.organizationId });
  const by = { token: near.token };
  const project = { organizationId: near.organizationId, name: "Near project" };
  const { id, projectId = id } = await done(
    server.connect("service.project.v2.ProjectService/CreateProject", project, by),
  );
  const grant = { projectId, grantedOrganizationId: third.organizationId, roleKeys: [] };
  await done(server.connect("service.project.v2.ProjectService/CreateProjectGrant", grant, by));
  return { server, near, home, third, person, projectId };
}

/** What a list of administrators says of a user at a resource. */
async function shown(server: TestServer, userId: string, token: string): Promise<string[]> {
  const filters = [{ inUserIdsFilter: { ids: [userId] } }];
  const { administrators = [] } = await done(administer(server, "ListAdministrators", { filters }, token));
  return administrators
    .map(({ state, roles = [], pendingRoles = [] }: RestAnswer["body"]) =>
      `${String(state).replace("ADMINISTRATOR_STATE_", "")} ${roles.join("+")}|${pendingRoles.join("+")}`.trim(),
    )
    .sort();
}

serversInTurn((start, test, both) => {
  both("an appointment by another organization has no effect until the user accepts it (A15)", async (t) => {
    const { server, near, home, third, person, projectId } = await makeStage(await start(t));
    const { userId } = person;
    const atThird = { projectGrant: { projectId, organizationId: third.organizationId } };
    const positions = [
      { resource: { organizationId: near.organizationId }, role: "ORG_OWNER", by: near.token },
      { resource: { projectId }, role: "PROJECT_OWNER", by: near.token },
      { resource: atThird, role: "PROJECT_GRANT_OWNER", by: third.token },
    ];
    for (const { resource, role, by } of positions) {
      const made = await done(administer(server, "CreateAdministrator", { userId, resource, roles: [role] }, by));
      assert.equal(made.state, "ADMINISTRATOR_STATE_PENDING", role);
      const again = administer(server, "CreateAdministrator", { userId, resource, roles: [role] }, by);
      assert.equal(await refused(again), "membership.exists");
    }
    const offered = ["PENDING |ORG_OWNER", "PENDING |PROJECT_GRANT_OWNER", "PENDING |PROJECT_OWNER"];
    const { token } = await sessionOf(server, person);
    assert.deepEqual(await shown(server, userId, token), offered, "the person sees what is offered");
    assert.deepEqual(
      await shown(server, userId, near.token),
      offered,
      "who appoints sees it, and the grant of the project",
    );
    assert.deepEqual(await shown(server, userId, home.token), offered, "home sees it");
    assert.deepEqual(await shown(server, userId, third.token), ["PENDING |PROJECT_GRANT_OWNER"]);

    // Nothing that reads permissions knows of it.
    const inNear = { token, headers: { "x-service-orgid": near.organizationId } };
    const rename = () =>
      server.rest("PUT", `/management/v1/projects/${projectId}`, { ...inNear, body: { name: "Taken" } });
    const permissionsOf = async () =>
      (await server.connect("service.auth.v1.AuthService/ListMyServicePermissions", {}, inNear)).body;
    const organizations = async () =>
      (await server.rest("POST", "/auth/v1/global/projectorgs/_search", { token, body: {} })).body.result ?? [];
    assert.notEqual((await rename()).status, 200);
    assert.doesNotMatch(JSON.stringify(await permissionsOf()), /project\.write|org\.write/);
    assert.doesNotMatch(JSON.stringify(await organizations()), new RegExp(near.organizationId));
    const invite = { userId: home.userId, resource: { organizationId: near.organizationId }, roles: ["ORG_OWNER"] };
    assert.notEqual(await refused(administer(server, "CreateAdministrator", invite, token)), "done");
    // Home continues as if there were nothing.
    const setPassword = { userId, newPassword: { password: "another long sentence for it" } };
    const byHome = { token: home.token };
    assert.equal(await refused(server.connect("service.user.v2.UserService/SetPassword", setPassword, byHome)), "done");
    const members = await server.rest("POST", "/management/v1/orgs/me/members/_search", {
      token: near.token,
      headers: { "x-service-orgid": near.organizationId },
      body: {},
    });
    const member = members.body.result.find((one: { userId: string }) => one.userId === userId);
    assert.equal(member.state, "ADMINISTRATOR_STATE_PENDING");
    assert.deepEqual([member.roles ?? [], member.pendingRoles], [[], ["ORG_OWNER"]]);
    assert.doesNotMatch(JSON.stringify(members.body), /quetzal/, "who appoints knows an id");

    // The person accepts one, declines one, and one is taken back.
    const signInAnew = async () =>
      (await sessionOf(server, { ...person, password: "another long sentence for it" })).token;
    const accepting = await signInAnew();
    for (const { resource, role } of positions.slice(0, 1)) {
      await done(administer(server, "AcceptAppointment", { userId, resource, roles: [role] }, accepting));
    }
    // Home knows the password, so the session could have been opened there.
    assert.equal(
      await refused(administer(server, "ListAdministrators", {}, accepting)),
      "authentication.invalid_token",
    );
    const fresh = await signInAnew();
    await done(administer(server, "DeclineAppointment", { userId, resource: atThird }, fresh));
    assert.deepEqual(await shown(server, userId, fresh), ["ACTIVE ORG_OWNER|", "PENDING |PROJECT_OWNER"]);
    const withdrawal = { userId, resource: { projectId } };
    await done(administer(server, "DeleteAdministrator", withdrawal, near.token));
    const late = { userId, resource: { projectId }, roles: ["PROJECT_OWNER"] };
    assert.equal(await refused(administer(server, "AcceptAppointment", late, fresh)), "membership.not_offered");
    assert.deepEqual(await shown(server, userId, fresh), ["ACTIVE ORG_OWNER|"]);
    inNear.token = fresh;
    assert.equal((await rename()).status, 200, "what was accepted has effect with the next request");
    assert.match(JSON.stringify(await permissionsOf()), /org\.write/);
    const named = await done(administer(server, "ListAdministrators", {}, near.token));
    assert.match(JSON.stringify(named), /quetzal/, "who was accepted knows the person (A32)");
    const search = [{ userDisplayName: { displayName: "quetzal", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } }];
    const found = await done(administer(server, "ListAdministrators", { filters: search }, near.token));
    assert.match(JSON.stringify(found), new RegExp(userId));
    const gain = await refused(server.connect("service.user.v2.UserService/SetPassword", setPassword, byHome));
    assert.equal(gain, "user.administers_more", "from now on home gains no credential");

    const read = await server.rest("POST", "/admin/v1/events/_search", { body: { limit: 1000, asc: true } });
    const told = read.body.events
      .map(({ type }: { type: { type: string } }) => type.type)
      .filter((type: string) => /^membership[.](?:offered|accepted|declined|deleted)$/.test(type));
    const wanted = ["offered", "offered", "offered", "accepted", "declined", "deleted"];
    assert.deepEqual(
      told,
      wanted.map((type) => `membership.${type}`),
    );
  });

  both("callers who may change a user at home appoint at once, and so does the instance (A15)", async (t) => {
    const { server, near, home, third, person, projectId } = await makeStage(await start(t));
    const colleague = await addPerson(server, { username: "colleague", organizationId: home.organizationId });
    const resource = { organizationId: near.organizationId };
    const create = async (userId: string, on: object, roles: string[], token?: string) =>
      (await done(administer(server, "CreateAdministrator", { userId, resource: on, roles }, token))).state;
    assert.equal(await create(person.userId, resource, ["ORG_OWNER"]), "ADMINISTRATOR_STATE_ACTIVE", "by the instance");

    // An administrator of both organizations, appointed in the near one by the instance.
    await create(home.userId, resource, ["ORG_OWNER"]);
    assert.equal(
      await create(colleague.userId, resource, ["ORG_OWNER_VIEWER"], home.token),
      "ADMINISTRATOR_STATE_ACTIVE",
    );
    // A person of home who may not change people there appoints like any stranger.
    const { token } = await sessionOf(server, person);
    const other = await addPerson(server, { username: "other", organizationId: home.organizationId });
    assert.equal(await create(other.userId, resource, ["ORG_OWNER"], token), "ADMINISTRATOR_STATE_PENDING");
    const renewed = { userId: other.userId, resource, roles: ["ORG_OWNER"] };
    const changed = await done(administer(server, "UpdateAdministrator", renewed, home.token));
    assert.equal(
      changed.state,
      "ADMINISTRATOR_STATE_ACTIVE",
      "an administrator at home makes the offer an appointment",
    );

    // A grant lies in two organizations: each appoints its own people at once, and those of the other by asking.
    const grant = { projectGrant: { projectId, organizationId: third.organizationId } };
    const ofNear = await addPerson(server, { username: "of-near", organizationId: near.organizationId });
    const ofThird = await addPerson(server, { username: "of-third", organizationId: third.organizationId });
    const roles = ["PROJECT_GRANT_OWNER"];
    assert.equal(await create(ofThird.userId, grant, roles, near.token), "ADMINISTRATOR_STATE_PENDING");
    assert.equal(await create(ofNear.userId, grant, roles, third.token), "ADMINISTRATOR_STATE_PENDING");
    for (const { userId } of [ofNear, ofThird])
      await done(administer(server, "DeleteAdministrator", { userId, resource: grant }));
    assert.equal(await create(ofThird.userId, grant, roles, third.token), "ADMINISTRATOR_STATE_ACTIVE");
    assert.equal(await create(ofNear.userId, grant, roles, near.token), "ADMINISTRATOR_STATE_ACTIVE");
    // A user who holds the grant, or the lent project, may have that from the other side, so that it does not count.
    const holder = (await sessionOf(server, ofThird)).token;
    const second = await addPerson(server, { username: "second", organizationId: third.organizationId });
    const stranger = await addPerson(server, { username: "stranger", organizationId: near.organizationId });
    assert.equal(await create(second.userId, grant, roles, holder), "ADMINISTRATOR_STATE_PENDING");
    assert.equal(await create(stranger.userId, grant, roles, holder), "ADMINISTRATOR_STATE_PENDING");
    const accomplice = await addPerson(server, { username: "accomplice", organizationId: third.organizationId });
    const owning = { userId: accomplice.userId, resource: { projectId }, roles: ["PROJECT_OWNER"] };
    assert.equal(await create(owning.userId, owning.resource, owning.roles, near.token), "ADMINISTRATOR_STATE_PENDING");
    const accepting = (await sessionOf(server, accomplice)).token;
    await done(administer(server, "AcceptAppointment", owning, accepting));
    const victim = await addPerson(server, { username: "victim", organizationId: third.organizationId });
    assert.equal(await create(victim.userId, grant, roles, accepting), "ADMINISTRATOR_STATE_PENDING");
    assert.equal(
      await create(stranger.userId, { projectId }, ["PROJECT_OWNER"], accepting),
      "ADMINISTRATOR_STATE_PENDING",
      "nor does a role on the project give a right over its organization's users",
    );
    const lent = await addPerson(server, { username: "lent", organizationId: near.organizationId });
    assert.equal(
      await create(lent.userId, grant, roles, accepting),
      "ADMINISTRATOR_STATE_PENDING",
      "and so it is with its grants",
    );
  });

  test("roles beyond what was accepted wait again, and those that the user has stay (A15)", async (t) => {
    const { server, near, person } = await makeStage(await start(t));
    const { userId } = person;
    const resource = { organizationId: near.organizationId };
    const change = async (...roles: string[]) => {
      await done(administer(server, "UpdateAdministrator", { userId, resource, roles }, near.token));
      return shown(server, userId, near.token);
    };
    const { token } = await sessionOf(server, person);
    const accept = (...roles: string[]) => administer(server, "AcceptAppointment", { userId, resource, roles }, token);
    await done(
      administer(server, "CreateAdministrator", { userId, resource, roles: ["ORG_OWNER_VIEWER"] }, near.token),
    );
    assert.deepEqual(await change("ORG_USER_MANAGER"), ["PENDING |ORG_USER_MANAGER"]);
    assert.equal(
      await refused(accept("ORG_OWNER_VIEWER")),
      "membership.offer_changed",
      "not what the person was shown",
    );
    assert.equal(await refused(accept("ORG_USER_MANAGER", "ORG_OWNER")), "membership.offer_changed");
    await done(accept("ORG_USER_MANAGER"));
    assert.deepEqual(await change("ORG_USER_MANAGER", "ORG_OWNER"), ["ACTIVE ORG_USER_MANAGER|ORG_OWNER"]);
    assert.deepEqual(await change("ORG_USER_MANAGER", "ORG_OWNER"), ["ACTIVE ORG_USER_MANAGER|ORG_OWNER"], "no change");
    await done(administer(server, "DeclineAppointment", { userId, resource }, token));
    assert.deepEqual(await shown(server, userId, near.token), ["ACTIVE ORG_USER_MANAGER|"], "what was accepted stays");
    const nothing = administer(server, "DeclineAppointment", { userId, resource }, token);
    assert.equal(await refused(nothing), "membership.not_offered");
    assert.match(JSON.stringify(await done(administer(server, "ListAdministrators", {}, near.token))), /quetzal/);
    assert.deepEqual(await change("ORG_OWNER"), ["PENDING |ORG_OWNER"], "nothing that was accepted is left");
    const unnamed = await done(administer(server, "ListAdministrators", {}, near.token));
    assert.doesNotMatch(JSON.stringify(unnamed), /quetzal/, "nor the name that was shown for it");
  });

  test("a position is accepted by the user alone, right after signing in (A15)", async (t) => {
    const { server, near, home, person, projectId } = await makeStage(await start(t));
    const { userId } = person;
    const resource = { organizationId: near.organizationId };
    const roles = ["ORG_OWNER"];
    const offer = { userId, resource, roles };
    await done(administer(server, "CreateAdministrator", offer, near.token));
    const accept = (token: string | undefined, body: object = offer) =>
      administer(server, "AcceptAppointment", body, token);
    const decline = (token: string | undefined) =>
      administer(server, "DeclineAppointment", { userId, resource }, token);
    const { token } = await sessionOf(server, person);
    const other = await addPerson(server, { username: "other", organizationId: home.organizationId });
    const ofOther = (await sessionOf(server, other)).token;
    assert.equal(await refused(accept(near.token)), "user.not_found", "not by who appoints");
    assert.equal(await refused(decline(near.token)), "user.not_found");
    assert.equal(await refused(accept(home.token)), "membership.not_asked", "not at home");
    assert.equal(await refused(decline(home.token)), "membership.not_asked");
    assert.equal(await refused(accept(undefined)), "membership.not_asked", "not by the instance");
    assert.equal(await refused(accept(ofOther)), "user.not_found", "not by a colleague");
    assert.equal(await refused(accept(ofOther, { ...offer, userId: other.userId })), "membership.not_offered");
    // A login client serves everyone who signs in, and accepts nothing.
    const login = await addServiceAccount(server, home.organizationId, "login");
    await done(
      administer(server, "CreateAdministrator", {
        userId: login.userId,
        resource: { instance: true },
        roles: ["IAM_LOGIN_CLIENT"],
      }),
    );
    const byLogin = await refused(accept(login.token));
    assert.ok(["membership.not_asked", "user.login_client_unproven"].includes(byLogin), byLogin);
    server.clock.now += 11 * 60_000;
    assert.equal(await refused(accept(token)), "authentication.too_old");
    assert.deepEqual(await shown(server, userId, near.token), ["PENDING |ORG_OWNER"]);
    const fresh = (await sessionOf(server, person)).token;
    const elsewhere = { userId, resource: { projectId }, roles: ["PROJECT_OWNER"] };
    assert.equal(await refused(accept(fresh, elsewhere)), "membership.not_offered", "nothing is offered there");
    const absent = { ...offer, resource: { organizationId: "absent" } };
    assert.equal(await refused(accept(fresh, absent)), "membership.not_offered", "in the same words");
    assert.equal(await refused(accept(fresh)), "done");
    assert.equal(await refused(accept(fresh)), "membership.not_offered", "once");
  });

  test("what a service account is offered, its own organization accepts (A15)", async (t) => {
    const { server, near, home } = await makeStage(await start(t));
    const robot = await addServiceAccount(server, home.organizationId, "robot");
    const { userId } = robot;
    const resource = { organizationId: near.organizationId };
    const offer = { userId, resource, roles: ["ORG_OWNER"] };
    const made = await done(administer(server, "CreateAdministrator", offer, near.token));
    assert.equal(made.state, "ADMINISTRATOR_STATE_PENDING");
    assert.equal(await refused(administer(server, "AcceptAppointment", offer, robot.token)), "membership.not_asked");
    assert.equal(await refused(administer(server, "AcceptAppointment", offer, near.token)), "user.not_found");
    assert.equal(await refused(administer(server, "AcceptAppointment", offer, home.token)), "done");
    assert.deepEqual(await shown(server, userId, near.token), ["ACTIVE ORG_OWNER|"]);
  });

  both("an offer goes with the user, with the resource and with the user who made it", async (t) => {
    const { server, near, person, projectId } = await makeStage(await start(t));
    const { userId } = person;
    const offer = { userId, resource: { projectId }, roles: ["PROJECT_OWNER"] };
    await done(administer(server, "CreateAdministrator", offer, near.token));
    await done(server.connect("service.project.v2.ProjectService/DeleteProject", { projectId }, { token: near.token }));
    const { token } = await sessionOf(server, person);
    assert.equal(await refused(administer(server, "AcceptAppointment", offer, token)), "membership.not_offered");
    assert.deepEqual(await shown(server, userId, token), []);
    const resource = { organizationId: near.organizationId };
    await done(administer(server, "CreateAdministrator", { userId, resource, roles: ["ORG_OWNER"] }, near.token));
    // Who could not give a role cannot take its offer back either.
    const manager = await addServiceAccount(server, near.organizationId, "manager");
    await done(
      administer(server, "CreateAdministrator", { userId: manager.userId, resource, roles: ["ORG_USER_MANAGER"] }),
    );
    const withdrawal = administer(server, "DeleteAdministrator", { userId, resource }, manager.token);
    assert.notEqual(await refused(withdrawal), "done");
    await done(server.connect("service.user.v2.UserService/DeleteUser", { userId }));
    assert.deepEqual(await shown(server, userId, near.token), []);
  });
});
