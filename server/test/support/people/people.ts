import assert from "node:assert/strict";
import { createOrganization } from "../../../src/domain/organization/index.ts";
import { testCall } from "../operations/call.ts";
import type { TestServer } from "../servers/server.ts";

/** A password that the default settings take. */
export const goodPassword = "correct horse battery staple";

export interface Person {
  readonly userId: string;
  readonly organizationId: string;
  /** Login name with the organization's domain. */
  readonly loginName: string;
  readonly password: string;
}

export interface NewPerson {
  readonly username: string;
  readonly password?: string;
  /** The user has to choose another password when signing in. */
  readonly changeRequired?: boolean;
  readonly organizationId?: string;
}

/** Makes a user by the API. */
export async function addPerson(server: TestServer, given: NewPerson): Promise<Person> {
  const { username, password = goodPassword, changeRequired = false } = given;
  const organizationId = given.organizationId ?? (await defaultOrganization(server));
  const created = await server.connect("service.user.v2.UserService/CreateUser", {
    organizationId,
    username,
    human: {
      profile: { givenName: username, familyName: "Example" },
      email: { email: `${username}@mail.example`, isVerified: true },
      password: { password, changeRequired },
    },
  });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const read = await server.connect("service.user.v2.UserService/GetUserByID", { userId: created.body.id });
  return { userId: created.body.id, organizationId, loginName: read.body.user.preferredLoginName, password };
}

/** Makes an organization and returns its id. */
export async function addOrganization({ app: { domain } }: TestServer, name: string): Promise<string> {
  const instance = await domain.findInstanceByHost("localhost");
  assert.ok(instance);
  const call = testCall({ instanceId: instance.instanceId, now: domain.clock() });
  const made = await domain.database.change(call, (tx) =>
    createOrganization(tx, domain, { name, instanceHost: "localhost" }),
  );
  return made.organizationId;
}

export async function defaultOrganization({ app }: TestServer): Promise<string> {
  const instance = await app.domain.findInstanceByHost("localhost");
  assert.ok(instance);
  return instance.defaultOrganizationId;
}

/** Makes the user an administrator by the API. `resource`: `{ instance: true }`, `{ organizationId }` … */
export async function appoint(
  server: TestServer,
  { userId }: { readonly userId: string },
  resource: object,
  roles: readonly string[],
): Promise<void> {
  const body = { userId, resource, roles };
  const made = await server.connect(
    "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
    body,
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
}

/** A session of the user with the password checked; its token is a bearer token. */
export async function sessionOf(server: TestServer, person: Person): Promise<{ sessionId: string; token: string }> {
  const { body, status } = await server.rest("POST", "/v2/sessions", {
    body: { checks: { user: { userId: person.userId }, password: { password: person.password } } },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { sessionId: body.sessionId, token: body.sessionToken };
}
