import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { rmSync } from "node:fs";
import type { TestContext } from "node:test";
import { newSystemToken } from "@zitadel/client/node";
import { addOrganization, appoint } from "../../../server/test/support/people/people.ts";
import { programFiles } from "../../../server/test/support/servers/foreign-program.ts";
import { startServer, type TestServer } from "../../../server/test/support/servers/server.ts";

/** A server that knows a system user, and the token that `@zitadel/client` makes for it. */
export async function startWithSystemUser(t: TestContext): Promise<{ server: TestServer; systemToken: string }> {
  const { directory, write } = programFiles("system-user");
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keyFile = write("key.pem", publicKey.export({ type: "spki", format: "pem" }).toString());
  const server = await startServer(t, { now: Date.now(), config: { systemUsers: [{ userId: "ops", keyFile }] } });
  // The token is issued at the real time, which may be a while after the start.
  server.clock.now = Date.now();
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { server, systemToken: await newSystemToken({ audience: server.origin, subject: "ops", key }) };
}

let count = 0;

/** Makes an organization with a service account that administers the instance, and returns its token. */
export async function addOwner(server: TestServer): Promise<string> {
  count += 1;
  const organizationId = await addOrganization(server, `Ends ${count}`);
  const robot = { organizationId, username: `robot${count}`, machine: { name: "Robot" } };
  const { body: made } = await server.connect("service.user.v2.UserService/CreateUser", robot);
  await appoint(server, { userId: made.id }, { instance: true }, ["IAM_OWNER"]);
  const expirationDate = "2100-01-01T00:00:00Z";
  const { status, body } = await server.rest("POST", `/v2/users/${made.id}/pats`, { body: { expirationDate } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
}
