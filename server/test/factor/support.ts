import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { addPerson, defaultOrganization, type NewPerson, type Person, sessionOf } from "../support/people/people.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const service = "service.user.v2.UserService";

/** Calls a method of UserService; fails when it is refused. */
export async function callUser(
  server: TestServer,
  method: string,
  body: object,
  token?: string,
): Promise<RestAnswer["body"]> {
  const answer = await server.connect(`${service}/${method}`, body, token === undefined ? {} : { token });
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns the slug of a refused method of UserService. */
export async function refusalOf(server: TestServer, method: string, body: object, token?: string): Promise<string> {
  return slugOf(await server.connect(`${service}/${method}`, body, token === undefined ? {} : { token }));
}

/** Returns the slug of a refusal, whatever the transport; "done" for success. */
export function slugOf({ status, body }: RestAnswer): string {
  if (status < 300) return "done";
  const detail = body.details?.[0];
  return detail?.id ?? detail?.debug?.id ?? JSON.stringify(body);
}

/** Makes a user with a verified address and number, and without a password, which would cost time. */
export async function addFace(server: TestServer, username: string): Promise<{ readonly userId: string }> {
  const { id: userId } = await callUser(server, "CreateUser", {
    organizationId: await defaultOrganization(server),
    username,
    human: {
      profile: { givenName: username, familyName: "Example" },
      email: { email: `${username}@mail.example`, isVerified: true },
      phone: { phone: "+41791234567", isVerified: true },
    },
  });
  return { userId };
}

/** Makes a user who signed in with a password a minute ago. */
export async function addMember(
  server: TestServer,
  given: NewPerson,
): Promise<Person & { token: string; sessionId: string }> {
  const person = await addPerson(server, given);
  const session = await sessionOf(server, person);
  server.clock.now += 60_000;
  return { ...person, ...session };
}

/** Gives a user an authenticator app, confirmed; its first code is used up. Returns the secret. */
export async function addApp(
  server: TestServer,
  { userId }: { userId: string },
  code: (secret: string) => string,
): Promise<string> {
  const { secret } = await callUser(server, "RegisterTOTP", { userId });
  await callUser(server, "VerifyTOTPRegistration", { userId, code: code(secret) });
  server.clock.now += 60_000;
  return secret;
}

/** Makes a session, or adds to one. */
export const createSession = (server: TestServer, body: object): Promise<RestAnswer> =>
  server.rest("POST", "/v2/sessions", { body });
export const setSession = (server: TestServer, sessionId: string, body: object): Promise<RestAnswer> =>
  server.rest("PATCH", `/v2/sessions/${sessionId}`, { body });

/** Returns what a session tells of itself. */
export async function readSession(server: TestServer, sessionId: string): Promise<RestAnswer["body"]> {
  const { status, body } = await server.rest("GET", `/v2/sessions/${sessionId}`);
  assert.equal(status, 200);
  return body.session;
}

/** Returns the types of a user's or session's events with this prefix, in alphabetical order. */
export async function eventsOf(server: TestServer, aggregateId: string, beginning: string): Promise<string[]> {
  const rows = await server.app.domain.database.read.all<{ type: string }>(
    sql`select type from events where aggregate_id = ${aggregateId} order by type`,
  );
  return rows.map(({ type }) => type).filter((type) => type.startsWith(beginning));
}

/** Returns the messages that would have been sent to a recipient, newest first. */
export async function inboxOf(server: TestServer, recipient: string): Promise<RestAnswer["body"][]> {
  const path = `/ui/dev/inbox?recipient=${encodeURIComponent(recipient)}`;
  const { status, body } = await server.rest("GET", path, { token: null, headers: { accept: "application/json" } });
  assert.equal(status, 200);
  return body.messages;
}
