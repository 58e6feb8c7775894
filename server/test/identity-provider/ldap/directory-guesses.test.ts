import assert from "node:assert/strict";
import { test } from "node:test";
import { hours, minutes } from "../../../src/base/clock.ts";
import { message, result, startTestDirectory } from "../../support/identity-provider/test-directory.ts";
import { addPerson } from "../../support/people/people.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { addDirectory, enterAt, entry, openForm, passwordOf, prove, slug, wrong } from "./directories.ts";

eachServer((start) => {
  test("servers of a directory", async (t) => {
    const server = await start(t);
    const [first, second] = [await startTestDirectory(t), await startTestDirectory(t)];
    first.entries = [entry("ada")];
    second.entries = [entry("ada")];
    const servers = [first.url, second.url];
    const idpId = await addDirectory(server, first, { servers, timeout: "0.3s" });
    const asked = async () => {
      const before = [first.requests.length, second.requests.length];
      const answer = await prove(server, idpId, "ada", passwordOf("ada"));
      return [slug(answer), first.requests.length > (before[0] ?? 0), second.requests.length > (before[1] ?? 0)];
    };

    await t.test("are asked in their order, the next one only where one does not answer", async () => {
      assert.deepEqual(await asked(), ["200", true, false]);
      first.answer = (_, __, socket) => socket.destroy() !== undefined;
      assert.deepEqual(await asked(), ["200", true, true]);
      first.answer = () => true;
      assert.deepEqual(await asked(), ["200", true, true], "silence");
      first.answer = (request, id, socket) => request.kind === "bind" && socket.write(message(id, result(0x61, 52)));
      assert.deepEqual(await asked(), ["200", true, true], "unavailable");
      second.answer = first.answer;
      assert.deepEqual(await asked(), ["400 identity_intent.unreachable", true, true]);
      const page = await enterAt(await openForm(server, idpId), "ada", passwordOf("ada"));
      assert.match(page.title, /not responding/, page.html);
      second.answer = undefined;
    });

    await t.test("have the last word on a password", async () => {
      first.answer = undefined;
      first.entries = [{ ...entry("ada"), password: "another" }];
      assert.deepEqual(await asked(), ["400 sign_in.wrong_credentials", true, false]);
    });

    await t.test("refuse for good what a later server would permit", async () => {
      first.answer = (request, id, socket) => request.kind === "bind" && socket.write(message(id, result(0x61, 13)));
      assert.deepEqual(await asked(), ["400 identity_intent.directory_refused", true, false]);
    });
  });

  test("guesses at passwords of a directory", async (t) => {
    const server = await start(t, { config: { trustedProxies: ["127.0.0.0/8"] } });
    const directory = await startTestDirectory(t);
    directory.entries = [entry("ada"), entry("bea")];
    const idpId = await addDirectory(server, directory);
    const other = await addDirectory(server, directory);
    const guess = (name: string, password = "wrong", id = idpId) => prove(server, id, name, password);
    const outcomes = async (count: number, attempt: () => ReturnType<typeof prove>): Promise<string[]> =>
      (await Promise.all(Array.from({ length: count }, attempt))).map(slug);

    await t.test("are counted by name, source and provider, also when they are sent at once", async () => {
      const before = directory.requests.length;
      const answers = await outcomes(25, () => guess("ada"));
      assert.equal(answers.filter((each) => each === "400 sign_in.wrong_credentials").length, 10);
      assert.equal(answers.filter((each) => each === "429 password.throttled").length, 15);
      assert.ok(directory.requests.length - before <= 10 * 4);
      assert.equal(
        slug(await guess("ada", passwordOf("ada"))),
        "429 password.throttled",
        "the right one waits as well",
      );
      assert.equal(slug(await guess(" ADA")), "429 password.throttled", "the same name");
      assert.equal(slug(await guess("bea")), "400 sign_in.wrong_credentials", "another name");
      assert.equal(slug(await guess("ada", "wrong", other)), "400 sign_in.wrong_credentials", "another provider");
      const page = await enterAt(await openForm(server, other), "ada", "wrong");
      assert.match(page.alert ?? "", wrong);
      for (let more = 0; more < 8; more++) await guess("ada", "wrong", other);
      const throttled = await enterAt(await openForm(server, other), "ada", "wrong");
      assert.match(throttled.alert ?? "", /Too many|seconds|try again/i, throttled.html);
      server.clock.now += minutes(2);
      assert.equal(slug(await guess("ada", passwordOf("ada"))), "200");
    });

    await t.test("are counted for names that no entry has, in the same way", async () => {
      const answers = await outcomes(20, () => guess("nobody"));
      assert.equal(answers.filter((each) => each === "400 sign_in.wrong_credentials").length, 10);
    });

    await t.test("are counted for the account, whatever name it is given", async () => {
      server.clock.now += hours(1);
      const names = Array.from({ length: 30 }, (_, index) => `alias-${index}`);
      directory.entries = [entry("ada", { uid: ["ada", ...names] }), entry("bea")];
      const binds = () =>
        directory.requests.filter((request) => request.kind === "bind" && request.name === "uid=ada,dc=example,dc=org")
          .length;
      const before = binds();
      for (const name of names) assert.equal(slug(await guess(name)), "400 sign_in.wrong_credentials");
      assert.equal(binds() - before, 10);
      assert.equal(
        slug(await guess("ada", passwordOf("ada"))),
        "400 sign_in.wrong_credentials",
        "told like a wrong one",
      );
      assert.equal(slug(await guess("bea", passwordOf("bea"))), "200");
      directory.entries = [entry("ada"), entry("bea")];
    });

    await t.test("of all sources together are bounded, before a directory locks the account for good", async () => {
      server.clock.now += hours(1);
      const before = directory.requests.length;
      const answers: string[] = [];
      for (let source = 0; source < 30; source++) {
        const headers = { "x-forwarded-for": `198.51.${source}.7` };
        answers.push(slug(await prove(server, idpId, "ada", "wrong", { headers })));
      }
      assert.equal(answers.filter((each) => each === "400 sign_in.wrong_credentials").length, 20);
      assert.equal(answers.at(-1), "429 password.throttled");
      assert.ok(directory.requests.length - before <= 20 * 4);
      server.clock.now += minutes(2);
      assert.equal(slug(await guess("ada", passwordOf("ada"))), "200", "no stranger keeps a user out for good");
    });

    await t.test("of one source leave half of them to others, for as long as it goes on", async () => {
      server.clock.now += hours(1);
      const from = (address: string, password: string) =>
        prove(server, idpId, "ada", password, { headers: { "x-forwarded-for": address } });
      for (let count = 0; count < 15; count++) await from("198.51.100.7", "wrong");
      for (let minute = 0; minute < 40; minute++) {
        for (let count = 0; count < 3; count++) {
          server.clock.now += minutes(1) / 3;
          // Networks of one block are one source.
          await from(minute < 20 ? "198.51.100.7" : `2001:db8:0:${minute}${count}::1`, "wrong");
        }
        assert.equal(slug(await from("203.0.113.9", passwordOf("ada"))), "200", `after ${minute} minutes`);
      }
    });

    await t.test("in a browser in which the name's user signed in before have their own allowance", async () => {
      server.clock.now += hours(1);
      const mine = { ada: new TestBrowser(server), bea: new TestBrowser(server) };
      const signOut = async (browser: TestBrowser) => {
        const page = await browser.open("/ui/logout");
        const ids = [...page.html.matchAll(/name="session_id"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="session_id"/g)];
        await browser.submit(page, { session_id: ids.map(([, one, another]) => one ?? another ?? "") });
      };
      const enter = async (browser: TestBrowser, name: string, password: string) =>
        enterAt(await openForm(server, other, browser), name, password);
      for (const name of ["ada", "bea"] as const) {
        let page = await enter(mine[name], name, passwordOf(name));
        if (page.address !== "/ui/login/signed-in") {
          page = await mine[name].submit(page, {}, { action: "/ui/login/external" });
        }
        assert.equal(page.address, "/ui/login/signed-in", page.html);
        await signOut(mine[name]);
      }
      const flood = async () => {
        for (let source = 0; source < 30; source++) {
          await prove(server, other, "ada", "wrong", { headers: { "x-forwarded-for": `203.0.${source}.7` } });
        }
      };
      await flood();
      const throttled = /Too many|seconds|try again/i;
      assert.match((await enter(new TestBrowser(server), "ada", passwordOf("ada"))).alert ?? "", throttled);
      assert.match((await enter(mine.bea, "ada", passwordOf("ada"))).alert ?? "", throttled, "another's browser");
      const before = directory.requests.length;
      for (let count = 0; count < 15; count++) assert.match((await enter(mine.ada, "ADA", "wrong")).alert ?? "", wrong);
      assert.ok(directory.requests.length > before);
      assert.match((await enter(mine.ada, "ada", passwordOf("ada"))).alert ?? "", throttled, "it has an end too");
      server.clock.now += minutes(5);
      await flood();
      assert.equal((await enter(mine.ada, "ada", passwordOf("ada"))).address, "/ui/login/signed-in");
      await signOut(mine.ada);
      assert.equal((await enter(mine.ada, "ada", passwordOf("ada"))).address, "/ui/login/signed-in", "it cost nothing");
    });

    await t.test("in a browser of a user to whom an administrator linked the account have none", async () => {
      server.clock.now += hours(1);
      const mallory = await addPerson(server, { username: "mallory" });
      const idpLink = { idpId: other, userId: "cleo", userName: "cleo" };
      const linked = await server.rest("POST", `/v2/users/${mallory.userId}/links`, { body: { idpLink } });
      assert.ok([200, 201].includes(linked.status), JSON.stringify(linked.body));
      const browser = new TestBrowser(server);
      const asked = await browser.submit(
        await browser.open("/ui/login"),
        { login_name: mallory.loginName },
        { action: "/ui/login" },
      );
      const page = await browser.submit(asked, { password: mallory.password }, { action: "/ui/login/password" });
      assert.equal(page.address, "/ui/login/signed-in", page.html);
      const outcomes: string[] = [];
      for (let count = 0; count < 12; count++) {
        outcomes.push((await enterAt(await openForm(server, other, browser), "cleo", "wrong")).alert ?? "");
      }
      assert.equal(outcomes.filter((each) => wrong.test(each)).length, 10);
    });

    await t.test("that are right cost nothing", async () => {
      server.clock.now += hours(1);
      for (let count = 0; count < 30; count++) assert.equal(slug(await guess("ada", passwordOf("ada"))), "200");
    });

    await t.test("and failures of the directory cost nothing", async () => {
      directory.answer = (_, __, socket) => socket.destroy() !== undefined;
      for (let count = 0; count < 20; count++) {
        assert.equal(slug(await guess("bea", passwordOf("bea"))), "400 identity_intent.unreachable");
      }
      directory.answer = undefined;
      assert.equal(slug(await guess("bea", passwordOf("bea"))), "200");
    });
  });
});
