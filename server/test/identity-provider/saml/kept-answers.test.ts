import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../../src/base/clock.ts";
import { sql } from "../../../src/database/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { openOptions } from "../trusted.ts";
import { accountIn, postAnswer } from "./logouts.ts";
import { attemptWith, begin, comeBackWith, knowSaml, partnerOf, reported } from "./support.ts";

const off = { authorization: 0, token: 0, introspection: 0, signUp: 0, registration: 0, keys: 0 };
const login = 20;
const config = { rateLimits: { ...off, login }, trustedProxies: ["127.0.0.0/8"] };

/** What is stored of answers that wait for their browsers. */
async function kept({ app }: TestServer): Promise<{ readonly answers: number; readonly bytes: number }> {
  const row = await app.domain.database.read.maybe<{ answers: number; bytes: number | null }>(
    sql`select count(*) as "answers", sum(length(sealed_answer)) as "bytes" from identity_intents
      where sealed_answer is not null`,
  );
  return { answers: Number(row?.answers), bytes: Number(row?.bytes ?? 0) };
}

eachServer((start) => {
  test("answers that a source has kept have a budget of bytes, which is no other source's (A22)", async (t) => {
    const server = await start(t, { config });
    const partner = await partnerOf(server);
    const idpId = await knowSaml(server, partner);
    const send = async (address: string, SAMLResponse: string): Promise<number> => {
      const { consumer, relayState: RelayState } = await begin(server, partner, idpId);
      const answer = await fetch(consumer, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
        body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const large = "A".repeat(90_000);
    const stranger = "203.0.113.1";
    assert.equal(await send(stranger, "A".repeat(131_072)), 413, "the largest form");
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push(await send(stranger, large));
    assert.deepEqual(statuses, [303, 303, 429, 429]);
    assert.equal(server.app.domain.budgets.refusals.get("kept_answer_bytes_of_source"), 2);
    const { answers, bytes } = await kept(server);
    assert.equal(answers, 2);
    assert.ok(bytes <= login * 16_384, `${bytes}`);
    // The stranger's own small answer still is, and so are all of another source.
    assert.equal(await send(stranger, "A".repeat(10_000)), 303);
    assert.equal(await send("203.0.113.2", large), 303);
    await reported(server, await attemptWith(server, partner, idpId));
    server.clock.now += minutes(1);
    assert.equal(await send(stranger, large), 303);
  });

  test("an answer waits five minutes for its browser, and is deleted when none comes", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server);
    const idpId = await knowSaml(server, partner, { providerOptions: { ...openOptions, isAutoCreation: true } });
    await changeSettings(server, "login", { identityProviderIds: [idpId] });
    const known = { server, partner, idpId };
    const [prompt, late] = [new TestBrowser(server), new TestBrowser(server)];
    const waiting = await postAnswer(known, { browser: prompt, subject: "prompt", index: "_1" });
    const unread = await postAnswer(known, { browser: late, subject: "late", index: "_2" });
    assert.equal((await kept(server)).answers, 2);
    server.clock.now += minutes(5) - 1;
    await server.app.jobs.tick();
    assert.equal((await kept(server)).answers, 2);
    await prompt.open(waiting);
    assert.match(await accountIn(prompt), /prompt@saml\.example/);
    server.clock.now += 1;
    assert.equal((await late.open(unread)).status, 400);
    assert.equal(await accountIn(late), "");
    server.clock.now += minutes(1);
    await server.app.jobs.tick();
    assert.equal((await kept(server)).answers, 0);
    // One whose answer was refused stays as long as any, for the page that explains it.
    const request = await begin(server, partner, idpId);
    await comeBackWith(request, "<a/>");
    const left = sql`select expires_at - created_at as "time" from identity_intents where state = 'failed'`;
    const failed = await server.app.domain.database.read.maybe<{ time: number }>(left);
    assert.equal(Number(failed?.time), minutes(30));
  });

  test("one answer waits for each browser and request, the last", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server);
    const idpId = await knowSaml(server, partner, { providerOptions: { ...openOptions, isAutoCreation: true } });
    await changeSettings(server, "login", { identityProviderIds: [idpId] });
    const known = { server, partner, idpId };
    const [browser, other] = [new TestBrowser(server), new TestBrowser(server)];
    const elsewhere = await postAnswer(known, { browser: other, subject: "elsewhere", index: "_1" });
    const first = await postAnswer(known, { browser, subject: "first", index: "_2" });
    const second = await postAnswer(known, { browser, subject: "second", index: "_3" });
    assert.equal((await kept(server)).answers, 2);
    assert.equal((await browser.open(first)).status, 400);
    assert.equal(await accountIn(browser), "");
    await browser.open(second);
    assert.match(await accountIn(browser), /second@saml\.example/);
    await other.open(elsewhere);
    assert.match(await accountIn(other), /elsewhere@saml\.example/);
  });
});
