import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { minutes } from "../../../src/base/clock.ts";
import { deviceConfiguration, deviceGrant } from "../../oauth/device/support.ts";
import type { TestClient } from "../../support/oidc/oidc.ts";
import { type Estate, endingsOf, type Somebody, wordsOf } from "../support/estate.ts";
import type { Holdings, Table } from "./table.ts";

const token = "/oauth/v2/token";
const projects = "project.v2.ProjectService";
const authorizations = "authorization.v2.AuthorizationService";
const groups = "group.v2.GroupService";
const both = ["reader", "writer"];

/** How the user has the roles: by an assignment of their own, by a group, over a grant to their organization. */
const holders = ["own", "group", "grant"] as const;
/**
 * Where they are read: with an earlier token at userinfo and introspection, in the id tokens of an earlier code, an
 * earlier device code and a refresh, and after a new sign-in.
 */
const sources = ["userinfo", "introspection", "code", "device", "refresh", "anew"] as const;
const held = holders.flatMap((holder) => sources.map((source) => `${holder}: ${source}`));
const once = held.filter((name) => /: (code|device|refresh)$/.test(name));

/**
 * `r`: the reader alone; `-`: no role, and nothing is refused. Introspection tells a client the roles of its project,
 * whether or not the project asserts them. Without the grant the application is one of another organization, which the
 * user has to let in first: its tokens are good for nothing, and a sign-in again asks.
 */
export const roles: Table = {
  name: "roles are those of the moment, wherever they are told",
  held,
  once,
  grid: {
    //                                               own  group  grant
    nothing: /*                                   */ "...... ...... ......",
    "the assignment is removed": /*               */ "------ ...... ......",
    "the assignment is deactivated": /*           */ "------ ...... ......",
    "the assignment was deactivated for a while": /**/ "...... ...... ......",
    "the assignment is reduced": /*               */ "rrrrrr ...... ......",
    "the assignment of the group is removed": /*  */ "...... ------ ......",
    "the assignment of the group is deactivated": /**/ "...... ------ ......",
    "the assignment of the group is reduced": /*  */ "...... rrrrrr ......",
    "the user leaves the group": /*               */ "...... ------ ......",
    "the group is deleted": /*                    */ "...... ------ ......",
    "the assignment over the grant is removed": /**/ "...... ...... ------",
    "the assignment over the grant is deactivated": /**/ "...... ...... ------",
    "the assignment over the grant is reduced": /**/ "...... ...... rrrrrr",
    "the grant is removed": /*                    */ "...... ...... xxxxx-",
    "the grant is deactivated": /*                */ "...... ...... xxxxx-",
    "the grant was deactivated for a while": /*   */ "...... ...... ......",
    "the grant is reduced": /*                    */ "...... ...... rrrrrr",
    "a role is removed from the project": /*      */ "rrrrrr rrrrrr rrrrrr",
    "both roles are removed from the project": /* */ "------ ------ ------",
    "the project tells no roles": /*              */ "-.---- -.---- -.----",
    "the project is deactivated": /*              */ "xxxxxx xxxxxx xxxxxx",
    "the project is deleted": /*                  */ "xxxxxx xxxxxx xxxxxx",
    "the user is deactivated": /*                 */ "xxxxxx ...... ......",
    "the organization of the grant is deactivated": /**/ "...... ...... xxxxxx",
    "the organization of the project is deactivated": /**/ "xxxxxx xxxxxx xxxxxx",
  },
  make: (estate) => makeRoles(estate, false),
};

// A user without a role cannot sign in and gets no tokens. Existing tokens live to their end, without roles.
const withoutRole = (signs: string): string => signs.replaceAll("------", "--xxxx").replaceAll("xxxxx-", "xxxxxx");

/** The same where users need a role to sign in, and an organization that has the project. */
export const demandedRoles: Table = {
  name: "where a role is demanded, nobody is given a token without one",
  held,
  once,
  grid: Object.fromEntries(Object.entries(roles.grid).map(([ending, signs]) => [ending, withoutRole(signs)])),
  make: (estate) => makeRoles(estate, true),
};

async function makeRoles(estate: Estate, isDemanded: boolean): Promise<Holdings> {
  const { must } = estate;
  const own = await estate.somebody("member");
  const group = await makeColleague(estate, own);
  const grant = await estate.somebody("member");
  const { organizationId } = own;
  const { projectId } = await must(`${projects}/CreateProject`, {
    organizationId,
    name: "Shop",
    projectRoleAssertion: true,
    ...(isDemanded && { authorizationRequired: true, projectAccessRequired: true }),
  });
  for (const roleKey of both) await must(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
  const lent = { projectId, grantedOrganizationId: grant.organizationId };
  await must(`${projects}/CreateProjectGrant`, { ...lent, roleKeys: both });
  const { id: groupId } = await must(`${groups}/CreateGroup`, { organizationId, name: "Readers" });
  const member = { id: groupId, userIds: [group.userId] };
  await must(`${groups}/AddUsersToGroup`, member);
  const assign = async (to: object): Promise<string> =>
    (await must(`${authorizations}/CreateAuthorization`, { projectId, roleKeys: both, ...to })).id;
  const ids = {
    own: await assign({ organizationId, userId: own.userId }),
    group: await assign({ organizationId, groupId }),
    grant: await assign({ organizationId: grant.organizationId, userId: grant.userId }),
  };
  const people = { own, group, grant };
  const clients = {
    client: await estate.server.createClient({ idTokenRoleAssertion: true }, projectId),
    device: await estate.server.createClient({ ...deviceConfiguration, idTokenRoleAssertion: true }, projectId),
  };
  // One source may not have any number of devices waiting at a time.
  estate.server.clock.now += minutes(10);
  const questions = await Promise.all(holders.map((holder) => questionsOf(estate, holder, people[holder], clients)));
  const onAssignment = (name: string, id: string) => ({
    [`${name} is removed`]: () => must(`${authorizations}/DeleteAuthorization`, { id }),
    [`${name} is deactivated`]: () => must(`${authorizations}/DeactivateAuthorization`, { id }),
    [`${name} is reduced`]: () => must(`${authorizations}/UpdateAuthorization`, { id, roleKeys: ["reader"] }),
  });
  const removeRole = (roleKey: string) => must(`${projects}/RemoveProjectRole`, { projectId, roleKey });
  return {
    good: Object.assign({}, ...questions),
    endings: {
      nothing: async () => {},
      ...onAssignment("the assignment", ids.own),
      ...onAssignment("the assignment of the group", ids.group),
      ...onAssignment("the assignment over the grant", ids.grant),
      "the assignment was deactivated for a while": async () => {
        await must(`${authorizations}/DeactivateAuthorization`, { id: ids.own });
        // A refused request spends nothing.
        if (isDemanded) assert.equal(await questions[0]?.["own: refresh"]?.(), false);
        await must(`${authorizations}/ActivateAuthorization`, { id: ids.own });
      },
      "the user leaves the group": () => must(`${groups}/RemoveUsersFromGroup`, member),
      "the group is deleted": () => must(`${groups}/DeleteGroup`, { id: groupId }),
      "the grant is removed": () => must(`${projects}/DeleteProjectGrant`, lent),
      "the grant is deactivated": () => must(`${projects}/DeactivateProjectGrant`, lent),
      "the grant was deactivated for a while": async () => {
        await must(`${projects}/DeactivateProjectGrant`, lent);
        await must(`${projects}/ActivateProjectGrant`, lent);
      },
      "the grant is reduced": () => must(`${projects}/UpdateProjectGrant`, { ...lent, roleKeys: ["reader"] }),
      "a role is removed from the project": () => removeRole("writer"),
      "both roles are removed from the project": () => Promise.all(both.map(removeRole)),
      "the project tells no roles": () => must(`${projects}/UpdateProject`, { projectId, projectRoleAssertion: false }),
      "the project is deactivated": () => must(`${projects}/DeactivateProject`, { projectId }),
      "the project is deleted": () => must(`${projects}/DeleteProject`, { projectId }),
      "the user is deactivated": endingsOf(estate, own)["its user is deactivated"],
      "the organization of the grant is deactivated": endingsOf(estate, grant)["its organization is deactivated"],
      "the organization of the project is deactivated": endingsOf(estate, own)["its organization is deactivated"],
    },
  };
}

/** Makes another user in the organization of a user. */
async function makeColleague({ must, password }: Estate, { organizationId }: Somebody): Promise<Somebody> {
  const username = `colleague-${randomBytes(4).toString("hex")}`;
  const email = `${username}@mail.example`;
  const { id: userId } = await must("user.v2.UserService/CreateUser", {
    organizationId,
    username,
    human: {
      profile: { givenName: username, familyName: "Example" },
      email: { email, isVerified: true },
      password: { password, changeRequired: false },
    },
  });
  return { userId, organizationId, email };
}

/** Signs a user in, and asks from then on for their roles. */
async function questionsOf(
  estate: Estate,
  holder: (typeof holders)[number],
  person: Somebody,
  { client, device }: Readonly<Record<"client" | "device", TestClient>>,
): Promise<Holdings["good"]> {
  const { server, form, ask } = estate;
  const session = await estate.session(person);
  const scope = "openid offline_access";
  const first = await server.tokens({ client, session, scope });
  const pending = await server.signIn({ client, session, scope });
  const waiting = await form("here", "/oauth/v2/device_authorization", { client_id: device.clientId, scope });
  const { device_code, user_code } = waiting.body;
  await server.decide(user_code, session);
  const rolesOf = async (
    grant: Readonly<Record<string, string>>,
    headers: TestClient["basic"] | object = client.basic,
  ) => {
    const answer = await form("here", token, grant, { ...headers });
    if (wordsOf(answer) !== "done") return false;
    const [, payload = ""] = answer.body.id_token.split(".");
    return toSign(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  };
  const userinfo = async (accessToken: string) => {
    const { status, body } = await ask("here", "/oidc/v1/userinfo", { method: "GET", token: accessToken });
    return status === 200 && toSign(body);
  };
  const questions: Record<(typeof sources)[number], () => Promise<boolean | string>> = {
    userinfo: () => userinfo(first["access_token"] ?? ""),
    introspection: async () => {
      // The client can no longer ask when its project has ended.
      const answer = await form("here", "/oauth/v2/introspect", { token: first["access_token"] ?? "" }, client.basic);
      return answer.body.active === true && toSign(answer.body);
    },
    code: () => {
      const { code, codeVerifier: code_verifier } = pending;
      return rolesOf({ grant_type: "authorization_code", code, code_verifier, redirect_uri: client.redirectUri });
    },
    device: () => rolesOf({ grant_type: deviceGrant, device_code, client_id: device.clientId }, {}),
    refresh: () => rolesOf({ grant_type: "refresh_token", refresh_token: first["refresh_token"] ?? "" }),
    anew: () =>
      server.tokens({ client, session, scope }).then(
        (anew) => userinfo(anew["access_token"] ?? ""),
        () => false,
      ),
  };
  return Object.fromEntries(sources.map((source) => [`${holder}: ${source}`, questions[source]]));
}

/** Returns the roles in claims. */
function toSign(claims: Readonly<Record<string, unknown>>): boolean | string {
  const told = Object.keys(claims["urn:service:iam:org:project:roles"] ?? {}).toSorted();
  if (told.length === both.length) return true;
  return told.length === 0 ? "-" : told.map(([letter]) => letter).join("");
}
