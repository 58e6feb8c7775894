import assert from "node:assert/strict";
import { test } from "node:test";
import { callUser, createSession } from "../factor/support.ts";
import { knowProvider } from "../identity-provider/attempts.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, goodPassword, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { everythingStored } from "../tour/support/everything-stored.ts";

const canary = /kestrel/i;
const phone = "+41791230987";

/** Where a person's name, address or number is stored. */
async function traces(server: TestServer): Promise<string[]> {
  const found = await everythingStored(server);
  return found
    .filter(({ row }) => canary.test(row) || row.includes(phone))
    .map(({ table, row }) => `${table}: ${row.slice(0, 300)}`);
}

eachServer((start) => {
  test("of a deleted user nothing is left but that things happened, including in the event log", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const idp = await knowProvider(server, provider, { options: { autoLinking: "email" } });
    await changeSettings(server, "login", { identityProviderIds: [idp] });
    const person = await addPerson(server, { username: "kestrel" });
    const { userId } = person;
    const profile = {
      givenName: "Kestrel",
      familyName: "Kestrels",
      nickName: "Kes-kestrel",
      displayName: "K. Kestrel",
    };
    await callUser(server, "UpdateUser", { userId, human: { profile } });
    await callUser(server, "UpdateUser", { userId, username: "kestrel-2" });
    await callUser(server, "SetEmail", { userId, email: "kestrel@wide.example", isVerified: true });
    await callUser(server, "SetPhone", { userId, phone, isVerified: true });
    await callUser(server, "SetUserMetadata", {
      userId,
      metadata: [{ key: "kestrel", value: Buffer.from("kestrel").toString("base64") }],
    });
    await callUser(server, "SetEmail", { userId, email: "kestrel@mail.example", sendCode: {} });
    await callUser(server, "ResendEmailCode", { userId, sendCode: {} });
    await callUser(server, "SetEmail", { userId, email: "kestrel@wide.example", isVerified: true });
    provider.user = {
      ...provider.user,
      sub: "kestrel-sub",
      email: "kestrel@wide.example",
      preferred_username: "kestrel",
    };
    const browser = new TestBrowser(server);
    const away = await browser.submit(
      await browser.open("/ui/login?account=other"),
      { provider: idp },
      { action: "/ui/login/provider" },
    );
    const back = provider.signIn(away.address);
    const done = await browser.open(back.pathname + back.search);
    assert.equal(done.address, "/ui/login/signed-in", done.html);
    await createSession(server, {
      checks: { user: { userId }, password: { password: goodPassword } },
      userAgent: { description: "Kestrel's phone" },
      metadata: { name: Buffer.from("kestrel").toString("base64") },
    });
    await createSession(server, { checks: { user: { loginName: "kestrel-2" }, password: { password: "wrong" } } });
    const other = await addPerson(server, { username: "merlin" });
    assert.ok(
      (await traces(server)).some((trace) => trace.startsWith("events:")),
      "the test sees what events hold",
    );

    await callUser(server, "DeleteUser", { userId });
    assert.deepEqual(await traces(server), []);
    const { body } = await server.rest("POST", "/admin/v1/events/_search", {
      body: { aggregateId: userId, asc: true },
    });
    const types = body.events.map((event: { type: { type: string } }) => event.type.type);
    assert.ok(types.includes("user.created") && types.includes("user.phone.set"), "that it happened stays");
    assert.equal(types.at(-1), "user.deleted");
    const { body: kept } = await server.rest("POST", "/admin/v1/events/_search", {
      body: { aggregateId: other.userId },
    });
    assert.match(JSON.stringify(kept), /merlin@mail\.example/, "of others everything stays");
    await sessionOf(server, other);
  });

  test("of a deleted service account the event log keeps everything", async (t) => {
    const server = await start(t);
    const { organizationId } = await addPerson(server, { username: "merlin" });
    const { id: userId } = await callUser(server, "CreateUser", {
      organizationId,
      username: "kestrel-robot",
      machine: { name: "Kestrel" },
    });
    await callUser(server, "DeleteUser", { userId });
    const { body } = await server.rest("POST", "/admin/v1/events/_search", { body: { aggregateId: userId } });
    assert.match(JSON.stringify(body), /kestrel-robot/);
  });
});
