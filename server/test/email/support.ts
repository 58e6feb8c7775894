import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "../../src/database/index.ts";
import type { MailServer } from "../support/http/mail-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";

export const sender = { senderAddress: "login@mail.example", senderName: "Doorward" };

/** Adds a provider by the Admin API and returns its id. */
export async function addProvider(server: TestServer, path: string, body: object): Promise<string> {
  const added = await server.rest("POST", `/admin/v1${path}`, { body });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  return added.body.id;
}

/** Lets all mail go through a server without TLS and login. */
export async function useMailServer(server: TestServer, { host }: Pick<MailServer, "host">): Promise<string> {
  const id = await addProvider(server, "/email/smtp", { ...sender, host, none: {} });
  await activate(server, `/email/${id}`);
  return id;
}

export async function activate(server: TestServer, path: string): Promise<void> {
  const { status, body } = await server.rest("POST", `/admin/v1${path}/_activate`, { body: {} });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Makes a user with an unverified address; returns the id. */
export async function createPerson(server: TestServer, username: string, human: object = {}): Promise<string> {
  const { body, status } = await server.connect("service.user.v2.UserService/CreateUser", {
    organizationId: await organizationOf(server),
    username,
    human: {
      profile: { givenName: username, familyName: "Example", preferredLanguage: "en" },
      email: { email: `${username}@mail.example`, sendCode: {} },
      ...human,
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

async function organizationOf({ app }: TestServer): Promise<string> {
  const instance = await app.domain.findInstanceByHost("localhost");
  assert.ok(instance);
  return instance.defaultOrganizationId;
}

/** Returns the code in a message: its only word of six capitals and digits. */
export function codeIn(text: string): string {
  const found = /\b[A-Z0-9]{6}\b/.exec(text.slice(text.indexOf("\r\n\r\n")));
  assert.ok(found, text);
  return found[0];
}

/** Returns how messages ended, by the events: `type kind attempts failure`. */
export async function outcomes(server: TestServer): Promise<string[]> {
  const feed = await recordedEvents(server);
  return feed
    .filter(({ aggregateType }) => aggregateType === "notification")
    .map(({ type, payload }) =>
      [type.replace("notification.", ""), payload["kind"], payload["attempts"], payload["failure"]]
        .filter((part) => part !== undefined)
        .join(" "),
    );
}

/** Lets time pass and the jobs run. */
export async function pass(server: TestServer, milliseconds: number): Promise<void> {
  server.clock.now += milliseconds;
  await server.app.jobs.tick();
}

/** Lets time pass in steps, with the jobs, until a condition holds. The server's own timer may run the jobs too. */
export function passUntil(
  server: TestServer,
  step: number,
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  return eventually(async () => {
    await pass(server, step);
    return holds();
  }, what);
}

/** Returns the failures of the attempts so far, one for each message that waits. */
export async function lastErrors({ app }: TestServer): Promise<string[]> {
  const rows = await app.domain.database.read.all<{ error: string | null }>(
    sql`select last_error as "error" from notifications where state = 'queued'`,
  );
  return rows.flatMap(({ error }) => error ?? []);
}

export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let count = 0; count < 400; count++) {
    if (await holds()) return;
    await wait(10);
  }
  assert.fail(what);
}
