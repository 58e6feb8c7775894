import assert from "node:assert/strict";
import { isBack, visit } from "../login/support/sign-in.ts";
import { codeTo, confirm, grace as entered, findPeople, isAsked, messagesTo } from "../login/support/sign-up.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

const config = { messageLimits: { email: 10_000, sms: 100 }, trustedProxies: ["127.0.0.0/8"] };
const stranger = "203.0.113.1";
const elsewhere = "198.51.100.1";

const comingFrom = (source: string) => ({ headers: { "x-forwarded-for": source } });

/** Sends the form of a new account from a source, in a browser of its own. */
async function register(
  server: TestServer,
  client: SignInClient,
  { email, source }: { email: string; source: string },
) {
  const { browser, page } = await visit(server, client, { prompt: "create" });
  const answer = await browser.submit(page, { ...entered, email }, comingFrom(source));
  return { browser, answer, isRefused: /Too many messages/.test(answer.alert ?? "") };
}

const sendAgain = (browser: TestBrowser, page: ShownPage, source: string): Promise<ShownPage> =>
  browser.submit(page, {}, { action: "/confirm/send", ...comingFrom(source) });

const countTo = async (server: TestServer, address: string): Promise<number> =>
  (await messagesTo(server, address)).length;

serversInTurn((start, test, both) => {
  both("a stranger who registers another's address leaves its owner the codes (F12)", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    await addPerson(server, { username: "ada" });
    const free = entered.email;
    const taken = "ada@mail.example";

    await t.test("at the same time, and after a day of it", async () => {
      for (const [forms, step] of [
        [20, 31_000],
        [30, 60 * 60_000],
      ] as const) {
        for (let count = 0; count < forms; count++) {
          server.clock.now += step;
          await register(server, client, { email: free, source: stranger });
        }
        const before = await countTo(server, free);
        const { browser, answer } = await register(server, client, { email: free, source: elsewhere });
        assert.ok(isAsked(answer), answer.title);
        assert.equal(await countTo(server, free), before + 1, "the owner, who comes from elsewhere");
        const again = await sendAgain(browser, answer, elsewhere);
        assert.ok(isAsked(again));
        assert.equal(await countTo(server, free), before + 1, "too soon");
        server.clock.now += 31_000;
        await sendAgain(browser, again, elsewhere);
        assert.equal(await countTo(server, free), before + 2, "another one");
      }
    });

    await t.test("with which the account is made", async () => {
      server.clock.now += 24 * 60 * 60_000;
      await register(server, client, { email: free, source: stranger });
      const { browser, answer } = await register(server, client, { email: free, source: elsewhere });
      const back = await confirm(server, browser, answer, free);
      assert.ok(isBack(back), back.title);
    });

    await t.test("a source with too many is told so, for an address with an account as for one without", async () => {
      const seen = [];
      for (const email of ["new@mail.example", taken]) {
        server.clock.now += 24 * 60 * 60_000;
        const answers = [];
        for (let count = 0; count < 5; count++) {
          server.clock.now += 31_000;
          const { answer, isRefused } = await register(server, client, { email, source: stranger });
          answers.push({ title: answer.title, status: answer.status, alert: answer.alert, isRefused });
        }
        seen.push(answers);
      }
      assert.deepEqual(seen[0], seen[1]);
      assert.deepEqual(
        seen[0]?.map(({ isRefused }) => isRefused),
        [false, false, false, true, true],
      );
    });

    await t.test("the page of the code tells it as well, and sends again after its time", async () => {
      server.clock.now += 24 * 60 * 60_000;
      const email = "late@mail.example";
      const { browser, answer } = await register(server, client, { email, source: stranger });
      let page = answer;
      for (let count = 0; count < 2; count++) {
        server.clock.now += 31_000;
        page = await sendAgain(browser, page, stranger);
        assert.match(page.html, /Another code is on its way/);
      }
      const code = await codeTo(server, email);
      server.clock.now += 31_000;
      page = await sendAgain(browser, page, stranger);
      assert.ok(isAsked(page));
      assert.match(page.alert ?? "", /Too many messages/);
      assert.doesNotMatch(page.html, /Another code is on its way/);
      server.clock.now += 4 * 60_000;
      page = await sendAgain(browser, page, stranger);
      assert.match(page.html, /Another code is on its way/);
      assert.notEqual(await codeTo(server, email), code);
      const back = await confirm(server, browser, page, email);
      assert.ok(isBack(back), back.title);
    });
  });

  test("a stranger with several networks leaves its owner a code (F12)", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    const email = "victim@mail.example";
    const dual = [stranger, "2001:db8:7:1::1"];
    const send = (source: string) => register(server, client, { email, source });
    // Every half a minute for half an hour, and then every half an hour for a day.
    for (const [rounds, step] of [
      [60, 31_000],
      [48, 30 * 60_000],
    ] as const) {
      for (let round = 0; round < rounds; round++) {
        server.clock.now += step;
        for (const source of dual) await send(source);
      }
      const before = await countTo(server, email);
      await send("2001:db8:7:2::1");
      assert.equal(await countTo(server, email), before, "a network of the same block is no other source");
      const owner = `198.51.100.${rounds}`;
      const { answer } = await send(owner);
      assert.ok(isAsked(answer), answer.title);
      assert.equal(await countTo(server, email), before + 1, "the owner, who comes from elsewhere");
    }
    const sent = await countTo(server, email);
    server.clock.now += 24 * 60 * 60_000;
    const { browser, answer } = await send("198.51.100.60");
    assert.equal(await countTo(server, email), sent + 1);
    const back = await confirm(server, browser, answer, email);
    assert.ok(isBack(back), back.title);
  });

  both("tags of one mailbox share its messages (F17)", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    const sentTo = async (addresses: readonly string[]): Promise<number> => {
      let sum = 0;
      for (const address of addresses) sum += await countTo(server, address);
      return sum;
    };
    const tagged = (name: string) => Array.from({ length: 8 }, (_, tag) => `${name}+${tag}@mail.example`);

    await t.test("from one source", async () => {
      const addresses = tagged("Victim");
      for (const email of addresses) await register(server, client, { email, source: stranger });
      assert.equal(await sentTo(addresses), 3);
    });

    await t.test("from many", async () => {
      const addresses = tagged("prey");
      for (const [index, email] of addresses.entries()) {
        const { answer } = await register(server, client, { email, source: `203.0.113.${10 + index}` });
        assert.ok(isAsked(answer), "the owner of the address is not told of others");
      }
      assert.equal(await sentTo(addresses), 5);
    });

    await t.test("other mailboxes have theirs, and each tag is an address of its own", async () => {
      const addresses = ["mum+shop@mail.example", "dad+shop@mail.example", "mum@mail.example", "mum@other.example"];
      for (const email of addresses) {
        const { browser, answer } = await register(server, client, { email, source: elsewhere });
        const back = await confirm(server, browser, answer, email);
        assert.ok(isBack(back), `${email}: ${back.title}`);
        assert.equal((await findPeople(server, email)).length, 1);
      }
    });

    await t.test("where accounts are made at once as well", async () => {
      server.clock.now += 24 * 60 * 60_000;
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
      const addresses = tagged("quarry");
      for (const email of addresses) await register(server, client, { email, source: stranger });
      assert.equal(await sentTo(addresses), 3);
      assert.equal((await findPeople(server, addresses.at(-1) ?? "")).length, 0, "nothing is made of what was refused");
      server.clock.now += 24 * 60 * 60_000;
      const hunted = Array.from({ length: 60 }, (_, tag) => `hunted+${tag}@mail.example`);
      for (const [index, tagged] of hunted.entries()) {
        server.clock.now += 60_000;
        await register(server, client, { email: tagged, source: index % 2 === 0 ? stranger : "2001:db8:7:1::1" });
      }
      const before = await sentTo(hunted);
      assert.ok(before >= 15, `${before}`);
      const own = await register(server, client, { email: "hunted@mail.example", source: elsewhere });
      assert.ok(isBack(own.answer), own.answer.title);
      assert.equal(await countTo(server, "hunted@mail.example"), 1, "the owner, who comes from elsewhere");

      const email = "hunter@mail.example";
      const { answer } = await register(server, client, { email, source: stranger });
      assert.ok(isBack(answer), answer.title);
    });
  });

  test("one source has so many messages of new accounts in all (F17)", async (t) => {
    const server = await start(t, { config });
    const client = await addClient(server);
    let number = 0;
    const next = (source: string) => register(server, client, { email: `person${number++}@mail.example`, source });
    for (let count = 0; count < 30; count++) assert.equal((await next(stranger)).isRefused, false, `${count}`);
    const refused = await next(stranger);
    assert.ok(refused.isRefused, refused.answer.title);
    assert.match(refused.answer.html, /value="person30@mail\.example"/, "the form keeps what was entered");
    const last = `person${number}@mail.example`;
    assert.ok(isAsked((await next(elsewhere)).answer));
    assert.equal(await countTo(server, last), 1, "another source");
    server.clock.now += 2 * 60_000;
    assert.ok(isAsked((await next(stranger)).answer), "later again");
  });
});
