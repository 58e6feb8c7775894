import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { eventsOf } from "../factor/support.ts";
import { enter, isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { isLong } from "../support/data/random.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { type Estate, makeEstate, type Somebody, wordsOf } from "./support/estate.ts";
import { kindsOfFactors } from "./support/kinds-of-factors.ts";
import { kindsOfOthers } from "./support/kinds-of-others.ts";
import { kindsOfUsers } from "./support/kinds-of-users.ts";
import { kindsOfGuessed, makeGuessed, passwordPrompts, promptsFor } from "./support/password-prompts.ts";

const most = 4;
const users = "user.v2.UserService";
const source = join(import.meta.dirname, "../../src");

test("every source that has a password compared belongs to a prompt that is guessed at", () => {
  const comparing = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /\bcheckPassword\(deps|\bby: "current_password",/.test(readFileSync(join(source, file), "utf8")));
  const asked = new Set(Object.values(passwordPrompts).map((prompt) => prompt.source));
  // By which those come that prove the current one.
  const between = ["domain/password/set-password.ts"];
  assert.deepEqual(comparing.sort(), [...asked, ...between].sort());
});

eachEngine((_open, engine) => {
  test("nothing can be guessed at more often than the settings say, wherever and however many at once", async (t) => {
    const estate = await makeEstate(t, engine);
    const { server, must } = estate;
    await changeSettings(server, "lockout", { maxPasswordAttempts: most, maxOtpAttempts: most });

    for (const kind of kindsOfGuessed) {
      await t.test(`a password ${kind}: all prompts count together`, async () => {
        const who = await makeGuessed(estate, kind);
        const asked = promptsFor(kind);
        const answers = await Promise.all(
          [...asked, ...asked].map(([, { guess }], index) => guess(estate, who, `a wrong guess ${index}`)),
        );
        assert.ok(!answers.includes("done"), answers.join());
        assert.equal(await failedChecks(estate, who), most);
        for (const [name, { guess }] of asked) {
          assert.notEqual(await guess(estate, who, estate.password), "done", `${name}: the right one, too late`);
        }
        assert.equal(await failedChecks(estate, who), most, "what is not evaluated is not counted");
        await must(`${users}/LockUser`, { userId: who.userId });
        await must(`${users}/UnlockUser`, { userId: who.userId });
        const [, again] = asked[0] ?? assert.fail();
        assert.equal(await again.guess(estate, who, estate.password), "done", "until somebody unlocks");
      });
    }

    for (const [name, { kind, guess }] of Object.entries(passwordPrompts)) {
      // The long version tries each prompt alone as well; those that would set the password end with it.
      if (!isLong() && !name.startsWith("the page")) continue;
      await t.test(`a password: ${name} counts, and the right one sets the count back`, async () => {
        const who = await makeGuessed(estate, kind);
        for (let count = 1; count < most; count++) assert.notEqual(await guess(estate, who, "a wrong guess"), "done");
        assert.equal(await failedChecks(estate, who), most - 1);
        assert.equal(await guess(estate, who, estate.password), "done");
        assert.equal(await failedChecks(estate, who), 0);
      });
    }

    await t.test("an authenticator app: new sessions, old ones and the page count together", async () => {
      const who = await makeGuessed(estate);
      const { userId } = who;
      const { secret } = await must(`${users}/RegisterTOTP`, { userId });
      await must(`${users}/VerifyTOTPRegistration`, { userId, code: appCode(secret, server.clock.now) });
      server.clock.now += 60_000;
      const visitor = await visit(server, who.client);
      const page = await enter(visitor, { loginName: who.loginName, password: estate.password });
      assert.match(page.title, /^Enter the code from your app/);
      const here = async (path: string, method: "POST" | "PATCH", checks: object) =>
        wordsOf(await estate.ask("here", path, { method, body: { checks } }));
      const requests = [
        (totp: object) => here("/v2/sessions", "POST", { user: { userId }, totp }),
        (totp: object) => here(`/v2/sessions/${who.open}`, "PATCH", { totp }),
        async ({ code }: { code: string }) => {
          const shown = await visitor.browser.copy().submit(page, { code });
          return isBack(shown) ? "done" : (shown.alert ?? shown.title);
        },
      ] as const;
      const guess = (code: string, index: number): Promise<string> =>
        requests[(index % requests.length) as 0 | 1 | 2]({ code });
      const right = appCode(secret, server.clock.now);
      const wrong = Array.from({ length: 12 }, (_, index) =>
        `${(Number(right) + index + 1) % 1_000_000}`.padStart(6, "0"),
      );
      const [first = "", second = "", ...others] = wrong;
      const counted = () => eventsOf(server, userId, "user.totp_check.failed");
      // One on the page and one by the API, so that neither can have a count of its own; then all at once.
      await guess(first, 2);
      assert.equal((await counted()).length, 1, "the page counts");
      assert.equal(await guess(second, 0), "factor.code_wrong");
      const answers = await Promise.all(others.map(guess));
      assert.equal((await counted()).length, most, answers.join());
      assert.ok(!answers.includes("done"), answers.join());
      for (const index of [0, 1]) assert.equal(await guess(right, index), "factor.blocked");
      assert.match(await guess(right, 2), /Too many wrong codes/);
      assert.equal((await counted()).length, most, "what is not evaluated is not counted");
    });

    // What was sent, or is written on a paper; each has its own end.
    const typed = [...kindsOfUsers, ...kindsOfFactors, ...kindsOfOthers(t, estate.createInstance)].filter(
      ({ name, hasNoLetters }) => hasNoLetters !== true && !/identity provider|authenticator app/.test(name),
    );
    for (const [index, kind] of typed.entries()) {
      // In the short version each engine asks the half that the other one leaves.
      if (!isLong() && index % 2 !== (engine === "sqlite" ? 0 : 1)) continue;
      await t.test(`${kind.name}: invalid after a few guesses, however many come at once`, async () => {
        const made = await kind.make(estate);
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, guess) => made.present(nearly(made.text, guess))),
        );
        assert.ok(!answers.includes("done"), answers.join());
        assert.notEqual(await made.present(made.text), "done", "the right one, too late");
        const next = await kind.make(estate);
        for (let guess = 0; guess < most - 1; guess++) await next.present(nearly(next.text, guess));
        assert.equal(await next.present(next.text), "done", "the right one, in time");
      });
    }

    await t.test("the code on a device, by the page: few tries from one address", async () => {
      const { user_code: code } = await server.wait();
      const person = await makeGuessed(estate);
      const browser = await signedIn(server, { loginName: person.loginName, password: estate.password });
      const type = async (typed: string) =>
        browser.submit(await browser.open("/ui/login/device"), { user_code: typed });
      for (let guess = 0; guess < 10; guess++) await type("BCDF-GHJK");
      const late = await type(code);
      assert.ok(late.alert, "even the right one");
      assert.ok(!late.address.includes("confirm"), late.address);
    });
  });
});

/** A text that differs from the right one in one place, another one for each number. */
function nearly(text: string, number: number): string {
  const at = number % text.length;
  const other = /[0-9]/.test(text.charAt(at))
    ? `${(Number(text.charAt(at)) + 1) % 10}`
    : text.charAt(at) === "B"
      ? "C"
      : "B";
  return text.slice(0, at) + other + text.slice(at + 1);
}

async function failedChecks({ server }: Estate, { userId }: Pick<Somebody, "userId">): Promise<number | undefined> {
  const row = await server.app.domain.database.read.maybe<{ count: number }>(
    sql`select failed_password_checks as "count" from users where user_id = ${userId}`,
  );
  return row?.count;
}
