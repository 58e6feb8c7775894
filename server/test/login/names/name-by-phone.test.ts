import assert from "node:assert/strict";
import { test } from "node:test";
import { callUser, inboxOf, slugOf } from "../../factor/support.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

const phone = "+41791112233";

/** Whether a number and a password sign a user in on the pages. */
async function signsIn(server: TestServer, { password }: Person): Promise<boolean> {
  const browser = new TestBrowser(server);
  const asked = await browser.submit(await browser.open("/ui/login"), { login_name: phone });
  return (await browser.submit(asked, { password })).address === "/ui/login/signed-in";
}

/** An organization whose manager says of two of its users that a number is theirs. */
async function addDecoys(server: TestServer): Promise<void> {
  const organizationId = await addOrganization(server, "Squatters");
  const manager = await addPerson(server, { username: "manager", organizationId });
  await appoint(server, manager, { organizationId }, ["ORG_USER_MANAGER"]);
  const { token } = await sessionOf(server, manager);
  for (let count = 0; count < 23; count++) {
    const human = {
      profile: { givenName: "De", familyName: "Coy" },
      email: { email: `decoy${count}@mail.example`, isVerified: true },
      phone: { phone, isVerified: true },
    };
    await callUser(server, "CreateUser", { organizationId, username: `decoy${count}`, human }, token);
  }
}

eachServer((start) => {
  test("users of another organization with the same number keep no user out (A12)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { disableLoginWithPhone: false });
    const vouched = await addPerson(server, { username: "grace" });
    await callUser(server, "SetPhone", { userId: vouched.userId, phone, isVerified: true });
    assert.equal(await signsIn(server, vouched), true, "before");
    server.clock.now += 60_000;
    await addDecoys(server);
    assert.equal(await signsIn(server, vouched), true, "an earlier word");

    const proven = await addPerson(server, { username: "linus", password: "another long sentence for it" });
    await callUser(server, "SetPhone", { userId: proven.userId, phone, sendCode: {} });
    const [message] = await inboxOf(server, phone);
    const verificationCode = /\b([0-9A-Z]{6,8})\b/.exec(message.text)?.[1] ?? "";
    await callUser(server, "VerifyPhone", { userId: proven.userId, verificationCode });
    assert.equal(await signsIn(server, proven), true, "who read the message beats all who did not");
    assert.equal(await signsIn(server, vouched), false);
    assert.equal(slugOf(await server.rest("DELETE", `/v2/users/${proven.userId}`)), "done");
    assert.equal(await signsIn(server, vouched), true);
  });
});
