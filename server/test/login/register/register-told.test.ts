import assert from "node:assert/strict";
import { keysAt } from "../../factor/key-support.ts";
import { inboxOf } from "../../factor/support.ts";
import { addPerson, defaultOrganization, goodPassword } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { createAuthenticator } from "../../support/sign-in/authenticator.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";
import { confirm, grace as entered, findPeople, isAsked, messagesTo } from "../support/sign-up.ts";

const create = { prompt: "create" };

serversInTurn((start, test) => {
  test("only readers of an address's mail are told of its account: its owner, and people who never confirmed it", async (t) => {
    const server = await start(t);
    const users = "service.user.v2.UserService";
    const organizationId = await defaultOrganization(server);
    const add = async (username: string, email: object) => {
      const human = { profile: { givenName: "Some", familyName: "Body" }, email, password: { password: goodPassword } };
      const { status, body } = await server.connect(`${users}/CreateUser`, { organizationId, username, human });
      assert.equal(status, 200, JSON.stringify(body));
      return body.id as string;
    };
    await addPerson(server, { username: "ada" });
    await server.connect(`${users}/DeactivateUser`, { userId: (await addPerson(server, { username: "gone" })).userId });
    const bob = await add("bob@mail.example", { email: "bob@mail.example", isVerified: true });
    const address = { email: "robert@home.example", isVerified: true };
    assert.equal((await server.connect(`${users}/SetEmail`, { userId: bob, ...address })).status, 200);
    await add("cyd", { email: "cyd@mail.example" });
    const device = createAuthenticator({ origin: "http://localhost" });
    await keysAt(server).register(await add("fay@mail.example", { email: "fay@mail.example" }), device, "Passkey");
    const userId = await add("dan@mail.example", { email: "dan@mail.example" });
    const expected: Readonly<Record<string, readonly string[]>> = {
      "ada@mail.example": ["account_known"],
      "ADA@Mail.example": [],
      "gone@mail.example": [],
      "bob@mail.example": [],
      "robert@home.example": ["account_known"],
      "cyd@mail.example": ["sign_up"],
      "dan@mail.example": ["initialization"],
      "fay@mail.example": [],
      "ada@doorward.localhost": [],
      "nobody@mail.example": ["sign_up"],
    };
    const client = await addClient(server);
    for (const [email, kinds] of Object.entries(expected)) {
      const before = (await messagesTo(server, email)).length;
      const { browser, page } = await visit(server, client, create);
      const asked = await browser.submit(page, { ...entered, email });
      assert.ok(isAsked(asked), email);
      const messages = await messagesTo(server, email);
      assert.deepEqual(
        messages.slice(0, messages.length - before).map(({ kind }) => kind),
        kinds,
        email,
      );
      if (kinds.includes("sign_up")) continue;
      const wrong = await browser.submit(asked, { code: messages[0]?.code ?? "ABCDEF" });
      assert.match(wrong.alert ?? "", /not valid/, `${email}: no code of anything is right`);
    }
    const [known] = await inboxOf(server, "ada@mail.example");
    assert.match(known.subject, /already have an account/);
    assert.match(known.text, /login name is ada/);
    assert.match(known.text, /\/ui\/login$/m);
    // An unconfirmed account: the reader of its messages sets its password, and the former password is dead.
    const former = await signedIn(server, { loginName: "dan@mail.example", password: goodPassword });
    const { code } = (await messagesTo(server, "dan@mail.example"))[0] ?? {};
    const browser = new TestBrowser(server);
    const choose = await browser.open(`/ui/login/initialization?user=${userId}&code=${code}`);
    const chosen = "an entirely different sentence";
    const done = await browser.submit(choose, { new_password: chosen, new_password_repeated: chosen });
    assert.match(done.address, /password-set/, done.title);
    assert.equal((await former.open("/ui/account")).address.split("?")[0], "/ui/login");
    await signedIn(server, { loginName: "dan@mail.example", password: chosen });
  });

  // Pre-hijacking: the owner of the address never confirms an account that an attacker prepared.
  test("a user who registered another's address gets no access to the account that its owner makes", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const thief = await visit(server, client, create);
    const theirs = "a sentence that a thief has chosen";
    const waiting = await thief.browser.submit(thief.page, {
      ...entered,
      password: theirs,
      new_password_repeated: theirs,
    });
    const [{ code = "", urlTemplate = "" } = {}] = await messagesTo(server, entered.email);
    // The owner follows the link: it activates nothing in their browser.
    const owner = await visit(server, client, create);
    const link = urlTemplate.replace("{{.Code}}", code).slice(server.origin.length);
    assert.match((await owner.browser.open(link)).title, /^Continue where you started/);
    assert.deepEqual(await findPeople(server, entered.email), []);
    server.clock.now += 31_000;
    const asked = await owner.browser.submit(owner.page, entered);
    assert.match(
      (await owner.browser.submit(asked, { code })).alert ?? "",
      /not valid/,
      "the code of the thief's account",
    );
    assert.ok(isBack(await confirm(server, owner.browser, asked)));
    // Now even the code is of no use to the thief.
    const late = await thief.browser.submit(waiting, { code });
    assert.match(late.alert ?? "", /cannot be used for a new account/);
    assert.equal((await findPeople(server, entered.email)).length, 1);
    const entering = await thief.browser.open("/ui/login");
    const end = await enter({ browser: thief.browser, page: entering }, { loginName: entered.email, password: theirs });
    assert.match(end.alert ?? "", /./);
    await signedIn(server, { loginName: entered.email, password: goodPassword });
  });
});
