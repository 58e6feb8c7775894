import assert from "node:assert/strict";
import { test } from "node:test";
import { callUser, refusalOf, slugOf } from "../factor/support.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const canary = "Quetzalcoatlus";

interface Stage {
  readonly server: TestServer;
  /** The organization that appoints a stranger, and the token of its owner. */
  readonly near: { readonly organizationId: string; readonly token: string };
  /** The organization of the stranger, and the token of its owner. */
  readonly home: { readonly organizationId: string; readonly token: string };
  readonly stranger: Person;
}

async function makeStage(server: TestServer): Promise<Stage> {
  const near = await addOwnedOrganization(server, "Near");
  const home = await addOwnedOrganization(server, "Home");
  const stranger = await addPerson(server, {
    username: canary.toLowerCase(),
    organizationId: home.organizationId,
  });
  await callUser(server, "UpdateUser", {
    userId: stranger.userId,
    human: { profile: { givenName: canary, familyName: canary, nickName: canary, displayName: canary } },
  });
  return { server, near, home, stranger };
}

const permissions = "service.internal_permission.v2.InternalPermissionService";

/**
 * Gives the stranger positions in the near organization, which the instance does without asking, and a role there, as
 * its owner.
 */
async function bind({ server, near, stranger: { userId } }: Stage) {
  const by = { token: near.token };
  const done = async (method: string, body: object) => {
    const answer = await server.connect(`service.${method}`, body, by);
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { organizationId } = near;
  const project = await done("project.v2.ProjectService/CreateProject", { organizationId, name: "Near project" });
  const projectId = project.projectId ?? project.id;
  await done("project.v2.ProjectService/AddProjectRole", { projectId, roleKey: "reader", displayName: "Reader" });
  const resources = [
    [{ organizationId }, "ORG_OWNER"],
    [{ projectId }, "PROJECT_OWNER"],
  ] as const;
  for (const [resource, role] of resources) await appoint(server, { userId }, resource, [role]);
  const role = { userId, projectId, organizationId, roleKeys: ["reader"] };
  const { id } = await done("authorization.v2.AuthorizationService/CreateAuthorization", role);
  return { projectId, authorizationId: id };
}

eachServer((start) => {
  test("appointing a stranger by id shows nothing else about the user in any list (A32)", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, near, home, stranger } = stage;
    const { userId } = stranger;
    const { projectId, authorizationId } = await bind(stage);
    // The stranger changes something there, so that histories name an editor.
    const checks = { user: { userId }, password: { password: stranger.password } };
    const session = await server.rest("POST", "/v2/sessions", { body: { checks } });
    const byStranger = { token: session.body.sessionToken, headers: { "x-service-orgid": near.organizationId } };
    const renamed = await server.rest("PUT", `/management/v1/projects/${projectId}`, {
      ...byStranger,
      body: { name: "Another name" },
    });
    assert.equal(renamed.status, 200, JSON.stringify(renamed.body));

    const contains = { method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" };
    const containsFilter = { method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" };
    const lists: readonly (readonly [name: string, method: string, path: string, body: object])[] = [
      ["administrators", "POST", `/${permissions}/ListAdministrators`, {}],
      ["members of the organization", "POST", "/management/v1/orgs/me/members/_search", {}],
      ["members of the project", "POST", `/management/v1/projects/${projectId}/members/_search`, {}],
      ["authorizations", "POST", "/service.authorization.v2.AuthorizationService/ListAuthorizations", {}],
      ["user grants", "POST", "/management/v1/users/grants/_search", {}],
      ["a user grant", "GET", `/management/v1/users/${userId}/grants/${authorizationId}`, {}],
      ["memberships", "POST", `/management/v1/users/${userId}/memberships/_search`, {}],
      ["changes of the project", "POST", `/management/v1/projects/${projectId}/changes/_search`, {}],
    ];
    const ask = (token: string, [, method, path, body]: (typeof lists)[number]) =>
      server.rest(method, path, {
        token,
        headers: { "x-service-orgid": near.organizationId },
        ...(method === "GET" ? {} : { body }),
      });
    const complaints: string[] = [];
    let naming = 0;
    for (const list of lists) {
      const answer = await ask(near.token, list);
      const text = JSON.stringify(answer.body);
      if (answer.status !== 200) complaints.push(`${list[0]}: ${answer.status} ${text}`);
      if (!text.includes(userId)) complaints.push(`${list[0]} does not show the person`);
      if (new RegExp(canary, "i").test(text)) complaints.push(`${list[0]}: ${text}`);
      const { body } = await ask(server.ownerToken, list);
      if (new RegExp(canary, "i").test(JSON.stringify(body))) naming += 1;
    }
    assert.deepEqual(complaints, []);
    assert.ok(naming >= 6, `${naming} lists show the name to who may read the person`);

    // Nor does a search tell by what it finds.
    const searches: typeof lists = [
      [
        "administrators by name",
        "POST",
        `/${permissions}/ListAdministrators`,
        {
          filters: [{ userDisplayName: { displayName: canary.slice(0, 4), ...containsFilter } }],
        },
      ],
      [
        "members by name",
        "POST",
        "/management/v1/orgs/me/members/_search",
        {
          queries: [{ firstNameQuery: { firstName: canary.slice(0, 4), ...contains } }],
        },
      ],
      [
        "members by address",
        "POST",
        `/management/v1/projects/${projectId}/members/_search`,
        {
          queries: [{ emailQuery: { email: canary.slice(0, 4), ...contains } }],
        },
      ],
      [
        "authorizations by name",
        "POST",
        "/service.authorization.v2.AuthorizationService/ListAuthorizations",
        {
          filters: [{ userDisplayName: { displayName: canary.slice(0, 4), ...containsFilter } }],
        },
      ],
      [
        "user grants by address",
        "POST",
        "/management/v1/users/grants/_search",
        {
          queries: [{ emailQuery: { email: canary.slice(0, 4), ...contains } }],
        },
      ],
    ];
    for (const search of searches) {
      const answer = await ask(near.token, search);
      assert.equal(answer.status, 200, `${search[0]}: ${JSON.stringify(answer.body)}`);
      assert.ok(!JSON.stringify(answer.body).includes(userId), `${search[0]} finds the person`);
    }
    const own = await server.connect(`${permissions}/ListAdministrators`, { filters: [] }, { token: home.token });
    assert.match(JSON.stringify(own.body), new RegExp(near.organizationId), "home sees what its people hold elsewhere");
    assert.match(JSON.stringify(own.body), new RegExp(canary), "and knows them by name");
  });

  test("an appointment by another organization takes no user from their own (A15)", async (t) => {
    const stage = await makeStage(await start(t));
    const { server, near, home, stranger } = stage;
    const { userId } = stranger;
    await bind(stage);
    const byHome = (method: string, body: object = {}) => refusalOf(server, method, { userId, ...body }, home.token);
    const newPassword = { password: "another long sentence for it" };
    const gains: readonly (readonly [string, object])[] = [
      ["SetPassword", { newPassword }],
      ["PasswordReset", { returnCode: {} }],
      ["RegisterTOTP", {}],
      ["CreatePasskeyRegistrationLink", { returnCode: {} }],
      ["SetEmail", { email: "elsewhere@mail.example", isVerified: true }],
    ];
    for (const [method, body] of gains) assert.equal(await byHome(method, body), "user.administers_more", method);
    assert.equal(await byHome("PasswordReset", { sendLink: {} }), "done", "the person resets the password");
    await callUser(server, "AddOTPEmail", { userId });
    assert.equal(await byHome("RemoveOTPEmail"), "done");
    for (const move of ["LockUser", "UnlockUser", "DeactivateUser", "ReactivateUser"]) {
      assert.equal(await byHome(move), "done", move);
      const elsewhere = await refusalOf(server, move, { userId }, near.token);
      assert.equal(elsewhere, "user.not_found", "whoever appoints has no power over the account");
    }
    assert.equal(await byHome("DeleteUser"), "done");

    const owner = await addPerson(server, { username: "owner-of-all", organizationId: home.organizationId });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    const { token } = home;
    const lock = await server.rest("POST", `/v2/users/${owner.userId}/lock`, { token, body: {} });
    assert.equal(slugOf(lock), "user.administers_more", "the instance is no other organization");
  });
});
