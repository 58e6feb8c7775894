import assert from "node:assert/strict";
import { inboxOf } from "../../factor/support.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type Authenticator, createAuthenticator, type Misbehaviour } from "../../support/sign-in/authenticator.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { isBack, visit } from "../support/sign-in.ts";
import { codeTo, confirm, isAsked, messagesTo } from "../support/sign-up.ts";

const grace = { given_name: "Grace", family_name: "Hopper", email: "grace@mail.example" };
const withPasskey = { with: "passkey", passkeys: "1" };
const create = { prompt: "create" };
const newDevice = () => createAuthenticator({ origin: "http://localhost" });

const optionsOf = ({ html }: ShownPage) => {
  const [, written = ""] = /data-passkey-options="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(written.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
};

/** Sends what the authenticator makes of what the page asks for. */
const answer = (browser: TestBrowser, page: ShownPage, device: Authenticator, given: Misbehaviour = {}) =>
  browser.submit(page, { credential: JSON.stringify(device.create(optionsOf(page), given)), passkey_name: "Phone" });

/** The same, and the code of the message to the address where it is asked for. */
async function finish(
  server: TestServer,
  browser: TestBrowser,
  page: ShownPage,
  device: Authenticator,
): Promise<ShownPage> {
  const asked = await answer(browser, page, device);
  return isAsked(asked) ? confirm(server, browser, asked) : asked;
}

const countOf = async (server: TestServer, emailAddress: string): Promise<number> => {
  const queries = [{ emailQuery: { emailAddress } }];
  const { body } = await server.connect("service.user.v2.UserService/ListUsers", { queries });
  return (body.result ?? []).length;
};

serversInTurn((start, test, both) => {
  test("an account is made with a passkey in place of a password, and the passkey signs in from then on", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const device = newDevice();
    const { browser, page, codeVerifier } = await visit(server, client, create);
    const asked = await browser.submit(page, { ...grace, ...withPasskey });
    assert.match(asked.title, /^Create the passkey/);
    const { publicKey } = optionsOf(asked);
    assert.equal(publicKey.authenticatorSelection.userVerification, "required");
    assert.equal(publicKey.user.displayName, "Grace Hopper");
    assert.equal(await countOf(server, grace.email), 0, "nobody is made before the passkey is");
    assert.deepEqual(await inboxOf(server, grace.email), []);
    const waiting = await answer(browser, asked, device);
    assert.equal(await countOf(server, grace.email), 0, "nor before the address is proven");
    const back = await confirm(server, browser, waiting);
    assert.ok(isBack(back), back.html);
    const { body } = await client.exchange(back.address, codeVerifier);
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    assert.deepEqual(claims.amr, ["user", "mfa"]);
    assert.equal(Buffer.from(publicKey.user.id, "base64url").toString(), claims.sub, "the passkey knows whose it is");
    const types = (await recordedEvents(server)).map(({ type }) => type);
    for (const type of ["user.created", "user.passkey.added", "user.passkey.verified", "session.created"]) {
      assert.ok(types.includes(type), type);
    }
    assert.deepEqual(
      (await messagesTo(server, grace.email)).map(({ kind }) => kind),
      ["sign_up"],
    );
    const again = await visit(server, client);
    const [, challengePath = ""] = /data-passkey-request="([^"]*)"/.exec(again.page.html) ?? [];
    const [form] = again.page.forms;
    const csrf = form?.values.find(([name]) => name === "csrf_token")?.[1] ?? "";
    const challenge = await again.browser.send(challengePath.replaceAll("&amp;", "&"), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrf_token: csrf }).toString(),
    });
    const credential = JSON.stringify(device.get(await challenge.json()));
    assert.ok(isBack(await again.browser.submit(again.page, { credential }, { action: "/ui/login/key" })));
  });

  test("whatever is not a sound answer makes no account, and a challenge is good for one answer and one browser", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const misbehaviours: Record<string, Misbehaviour> = {
      "a foreign origin": { origin: "https://evil.example" },
      "nobody verified": { isVerified: false },
      "another host": { rpId: "evil.example" },
      "a signature and no registration": { type: "webauthn.get" },
      "another challenge": { challenge: "AAAA" },
    };
    for (const [what, given] of Object.entries(misbehaviours)) {
      const { browser, page } = await visit(server, client, create);
      const asked = await browser.submit(page, { ...grace, ...withPasskey });
      const refused = await answer(browser, asked, newDevice(), given);
      assert.match(refused.title, /^Error: Create your account/, what);
      assert.match(refused.html, /value="Hopper"/, "what was typed is kept");
      assert.equal(await countOf(server, grace.email), 0, what);
      // An answer to this challenge was looked at, so a second one is too late; one to another has not touched it.
      const late = await answer(browser, asked, newDevice());
      assert.equal(isAsked(late), what === "another challenge", what);
    }
  });

  test("another user's page, a changed ticket, an expired one and another login are worthless", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const { browser, page } = await visit(server, client, create);
    const asked = await browser.submit(page, { ...grace, ...withPasskey });
    const credential = JSON.stringify(newDevice().create(optionsOf(asked)));
    const ticket = asked.forms[0]?.values.find(([name]) => name === "ticket")?.[1] ?? "";
    const other = await visit(server, client, create);
    const others = await other.browser.submit(other.page, { ...grace, ...withPasskey, email: "eve@mail.example" });
    for (const stolen of [ticket, "", `${ticket}x`]) {
      const end = await other.browser.submit(others, { credential, ticket: stolen });
      assert.match(end.title, /^Create your account/);
    }
    const sibling = await visit(server, client, create, browser);
    const foreign = await browser.submit(sibling.page, { ...grace, ...withPasskey });
    assert.match((await browser.submit(foreign, { credential, ticket })).title, /^Create your account/);
    server.clock.now += 11 * 60_000;
    assert.match((await browser.submit(asked, { credential, ticket })).title, /^Create your account/);
    assert.equal(await countOf(server, grace.email), 0);
    assert.equal(await countOf(server, "eve@mail.example"), 0);
  });

  both("a credential belongs to one user, and a name that is taken meanwhile makes no second account", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const device = newDevice();
    const first = await visit(server, client, create);
    const asked = await first.browser.submit(first.page, { ...grace, ...withPasskey });
    const rival = await visit(server, client, create);
    const both = await rival.browser.submit(rival.page, { ...grace, ...withPasskey });
    const waiting = [
      await answer(first.browser, asked, device),
      await answer(rival.browser, both, newDevice()),
    ] as const;
    const [first1] = waiting;
    const code = await codeTo(server, grace.email);
    // One message went out; the other browser asks for its own.
    assert.match((await rival.browser.submit(waiting[1], { code })).alert ?? "", /not valid/);
    server.clock.now += 31_000;
    const again = await rival.browser.submit(waiting[1], {}, { action: "/send" });
    const rivals = await codeTo(server, grace.email);
    const ends = await Promise.all([
      first.browser.submit(first1, { code }),
      rival.browser.submit(again, { code: rivals }),
    ]);
    assert.equal(ends.filter(isBack).length, 1, ends.map(({ html }) => html).join());
    assert.match(ends.find((end) => !isBack(end))?.alert ?? "", /cannot be used for a new account/);
    assert.equal(await countOf(server, grace.email), 1);
    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    const third = await visit(server, client, create);
    const taken = await third.browser.submit(third.page, { ...grace, ...withPasskey });
    assert.match(taken.title, /^Error: Create your account/);
  });

  test("what is missing is said before anything is asked of the authenticator; without script the page says what it needs", async (t) => {
    const server = await start(t);
    const { browser, page } = await visit(server, await addClient(server), create);
    const missing = await browser.submit(page, { ...grace, ...withPasskey, family_name: "", email: "" });
    assert.match(missing.title, /^Error: Create your account/);
    assert.equal(missing.html.includes("data-passkey-options"), false);
    const invalid = await browser.submit(page, { ...grace, ...withPasskey, email: "no address" });
    assert.match(invalid.title, /^Error: Create your account/);
    const scriptless = await browser.submit(page, { ...grace, with: "passkey", passkeys: "" });
    assert.match(scriptless.alert ?? "", /needs JavaScript/);
    assert.match(scriptless.html, /value="grace@mail.example"/);
  });

  test("settings that allow no passkeys, no registration or no credentials of ours close it at every step", async (t) => {
    const server = await start(t);
    await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const closing = [{ allowPasskeys: false }, { allowRegister: false }, { allowLocalAuthentication: false }] as const;
    for (const settings of closing) {
      const { browser, page } = await visit(server, client, create);
      const asked = await browser.submit(page, { ...grace, ...withPasskey });
      assert.match(asked.title, /^Create the passkey/);
      await changeSettings(server, "login", settings);
      assert.ok(!isAsked(await answer(browser, asked, newDevice())), JSON.stringify(settings));
      assert.ok(!(await browser.submit(page, { ...grace, ...withPasskey })).html.includes("data-passkey-options"));
      assert.ok(!(await browser.open(page.address)).html.includes('value="passkey"'));
      await changeSettings(server, "login", {
        allowPasskeys: true,
        allowRegister: true,
        allowLocalAuthentication: true,
      });
    }
    assert.equal(await countOf(server, grace.email), 0);
  });

  test("a passkey with user verification is two factors where two are required of every user", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true });
    const { browser, page } = await visit(server, await addClient(server), create);
    const asked = await browser.submit(page, { ...grace, ...withPasskey });
    assert.ok(isBack(await finish(server, browser, asked, newDevice())));
  });
});
