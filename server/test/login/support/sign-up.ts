import assert from "node:assert/strict";
import {
  listNewestNotifications,
  type Notification,
  type NotificationValues,
  openNotification,
} from "../../../src/domain/notification/index.ts";
import { goodPassword } from "../../support/people/people.ts";
import type { TestServer } from "../../support/servers/server.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

/** What a user enters to make an account. */
export const grace = {
  given_name: "Grace",
  family_name: "Hopper",
  email: "grace@mail.example",
  password: goodPassword,
  new_password_repeated: goodPassword,
};

export const isAsked = ({ address }: ShownPage): boolean => /^\/ui\/login\/register\/confirm(\?|$)/.test(address);

export const instanceOf = async ({ app }: TestServer): Promise<string> =>
  (await app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();

/** Returns the messages to an address, newest first, with their contents. */
export async function messagesTo(
  server: TestServer,
  recipient: string,
): Promise<(Notification & NotificationValues)[]> {
  const { database, vault } = server.app.domain;
  const instanceId = await instanceOf(server);
  const newest = await listNewestNotifications(database.read, instanceId, 200);
  return newest
    .filter((message) => message.recipient === recipient)
    .map((message) => ({ ...message, ...openNotification(vault, instanceId, message) }));
}

/** Returns the code of the newest message to an address. */
export async function codeTo(server: TestServer, recipient: string): Promise<string> {
  const [message] = await messagesTo(server, recipient);
  assert.ok(message?.code, `no code for ${recipient}`);
  return message.code;
}

/** Enters the code of the message to an address, at the page that asks for it. */
export async function confirm(
  server: TestServer,
  browser: TestBrowser,
  page: ShownPage,
  email: string = grace.email,
): Promise<ShownPage> {
  assert.ok(isAsked(page), page.title);
  return browser.submit(page, { code: await codeTo(server, email) });
}

/** Returns the users of the instance with this address. */
export async function findPeople(
  server: TestServer,
  email: string,
): Promise<{ userId: string; organizationId: string }[]> {
  const { body } = await server.connect("service.user.v2.UserService/ListUsers", {
    queries: [{ emailQuery: { emailAddress: email } }],
  });
  return (body.result ?? []).map(({ userId, details }: { userId: string; details: { resourceOwner: string } }) => ({
    userId,
    organizationId: details.resourceOwner,
  }));
}
