import assert from "node:assert/strict";
import { inboxOf } from "../../factor/support.ts";
import { addPerson } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { signedIn } from "../support/sign-in.ts";

const users = "service.user.v2.UserService";
const path = "/ui/login/verify-phone";

async function withNumber(server: TestServer, username: string, phone: string) {
  const person = await addPerson(server, { username });
  const set = await server.connect(`${users}/SetPhone`, { userId: person.userId, phone, sendCode: {} });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  return person;
}

const codeAt = async (server: TestServer, phone: string): Promise<string> =>
  /\b([0-9A-Z]{6,8})\b/.exec((await inboxOf(server, phone))[0].text)?.[1] ?? "";
const isVerified = async (server: TestServer, userId: string): Promise<boolean> =>
  (await server.connect(`${users}/GetUserByID`, { userId })).body.user.human.phone?.isVerified === true;

serversInTurn((start, test, both) => {
  test("the code proves the number, in any browser or for the signed-in user; a wrong one is counted, looking is not proving", async (t) => {
    const server = await start(t);
    const ada = await withNumber(server, "ada", "+41791112233");
    const code = await codeAt(server, "+41791112233");
    const elsewhere = new TestBrowser(server);
    const page = await elsewhere.open(`${path}?user=${ada.userId}&code=${code}`);
    assert.match(page.title, /^Confirm your phone number/);
    assert.equal(await isVerified(server, ada.userId), false);
    const wrong = await elsewhere.submit(page, { code: "ZZZZZZ" });
    assert.match(wrong.title, /^Error: Confirm your phone number/);
    assert.ok((await recordedEvents(server)).some(({ type }) => type === "user.phone_verification_check.failed"));
    const done = await elsewhere.submit(page, { code: ` ${code.toLowerCase()} ` });
    assert.equal(done.address, `${path}/done`);
    assert.equal(await isVerified(server, ada.userId), true);
    assert.match((await elsewhere.submit(page, { code })).alert ?? "", /code/i, "once");

    const bob = await withNumber(server, "bob", "+41791112244");
    const own = await signedIn(server, bob);
    const asked = await own.open(path);
    const verified = await own.submit(asked, { code: await codeAt(server, "+41791112244") });
    assert.equal(verified.address, `${path}/done`);
    assert.equal((await new TestBrowser(server).open(path)).address, "/ui/login", "of nobody");
  });

  test("wrong codes of strangers do not use up the code of a number (N9)", async (t) => {
    const server = await start(t, { config: { trustedProxies: ["127.0.0.0/8"] } });
    const phone = "+41791112233";
    const ada = await withNumber(server, "ada", phone);
    const code = await codeAt(server, phone);
    const guess = async (given: string) => {
      const browser = new TestBrowser(server);
      return browser.submit(await browser.open(`${path}?user=${ada.userId}`), { code: given });
    };
    const verify = (address: string, verificationCode: string) =>
      server.rest("POST", `/v2/users/${ada.userId}/phone/verify`, {
        body: { verificationCode },
        headers: { "x-forwarded-for": address },
      });
    for (let count = 0; count < 8; count++) assert.match((await guess("ZZZZZZ")).title, /^Error: /);
    for (let count = 0; count < 8; count++) assert.equal((await verify("203.0.113.1", "ZZZZZZ")).status, 400);
    const failures = (await recordedEvents(server)).filter(
      ({ type }) => type === "user.phone_verification_check.failed",
    );
    assert.equal(failures.length, 10, "five of each source are evaluated");
    assert.match((await guess(code)).title, /^Error: /, "who guessed so often guesses no more");
    assert.equal((await verify("203.0.113.1", code)).status, 400);
    assert.equal(await isVerified(server, ada.userId), false);
    assert.equal((await verify("198.51.100.7", code)).status, 200, "the code is good for its owner");
    assert.equal(await isVerified(server, ada.userId), true);
  });

  both(
    "another code is sent after 30 seconds and replaces the former, and whether a user has an unverified number is not revealed",
    async (t) => {
      const server = await start(t);
      const phone = "+41791112233";
      const ada = await withNumber(server, "ada", phone);
      const first = await codeAt(server, phone);
      const browser = new TestBrowser(server);
      const page = await browser.open(`${path}?user=${ada.userId}`);
      const again = async (userId: string) => {
        const shown = await browser.open(`${path}?user=${userId}`);
        const answer = await browser.submit(shown, {}, { action: "/resend" });
        return answer.html.replaceAll(userId, "ID").replaceAll(/name="csrf_token" value="[^"]*"/g, "");
      };
      assert.match(await again(ada.userId), /Another code is on its way/);
      assert.equal((await inboxOf(server, phone)).length, 1, "one was sent just now");
      server.clock.now += 31_000;
      const answers = await Promise.all([again(ada.userId), again(ada.userId), again("999")]);
      assert.equal(new Set(answers).size, 1);
      assert.equal((await inboxOf(server, phone)).length, 2);
      assert.match((await browser.submit(page, { code: first })).alert ?? "", /code/i);
      assert.equal((await browser.submit(page, { code: await codeAt(server, phone) })).address, `${path}/done`);
      server.clock.now += 31_000;
      await again(ada.userId);
      assert.equal((await inboxOf(server, phone)).length, 2, "a proven number is not asked about");

      // The same for an address, with the link that the message before had.
      const email = "eve@other.example";
      const eve = await addPerson(server, { username: "eve" });
      const urlTemplate = `${server.origin}/ui/login/verify-email?user={{.UserID}}&code={{.Code}}`;
      const set = await server.connect(`${users}/SetEmail`, { userId: eve.userId, email, sendCode: { urlTemplate } });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      const askFor = async (userId: string) => {
        const shown = await browser.open(`/ui/login/verify-email?user=${userId}`);
        return browser.submit(shown, {}, { action: "/resend" });
      };
      assert.match((await askFor(eve.userId)).html, /Another code is on its way[\s\S]*data-wait="30"/);
      assert.match((await askFor("999")).html, /Another code is on its way[\s\S]*data-wait="30"/);
      assert.equal((await inboxOf(server, email)).length, 1, "one was sent just now");
      server.clock.now += 31_000;
      await Promise.all([askFor(eve.userId), askFor(eve.userId)]);
      const messages = await inboxOf(server, email);
      assert.equal(messages.length, 2);
      const { pathname, search } = new URL(messages[0].link ?? "");
      const done = await browser.submit(await browser.open(pathname + search), {}, { action: "/verify-email?" });
      assert.equal(done.address, "/ui/login/verify-email/done", done.html);
      server.clock.now += 31_000;
      await askFor(eve.userId);
      assert.equal((await inboxOf(server, email)).length, 2);
    },
  );
});
