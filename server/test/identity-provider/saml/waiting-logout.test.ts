import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { enter } from "../../login/support/sign-in.ts";
import { testCall } from "../../support/operations/call.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { slug } from "../ldap/directories.ts";
import { openOptions } from "../trusted.ts";
import { accountIn, answerOf, endThere, postAnswer, signInBySaml } from "./logouts.ts";
import { attemptWith, knowSaml, partnerOf } from "./support.ts";

const logout = "https://saml.example/slo";
const ended = /This sign-in has ended/;

/** How the provider ends a session while a sign-in waits: with or without the browser, by index or by account. */
const endings = [
  { name: "no-logout", isEnded: false, brings: false, indexed: false },
  { name: "with-browser", isEnded: true, brings: true, indexed: true },
  { name: "elsewhere", isEnded: true, brings: false, indexed: true },
  { name: "account", isEnded: true, brings: false, indexed: false },
];

eachServer((start) => {
  test("a logout at a SAML provider ends what is half done with its answer", async (t) => {
    const server = await start(t);
    const partner = await partnerOf(server, { logout });
    const asking = await knowSaml(server, partner, { providerOptions: openOptions });
    const creating = await knowSaml(server, partner, { providerOptions: { ...openOptions, isAutoCreation: true } });
    await changeSettings(server, "login", { identityProviderIds: [asking, creating] });
    const byPage = { server, partner, idpId: asking };
    const known = { server, partner, idpId: creating };

    const end = async (of: typeof known, subject: string, ending: (typeof endings)[number], browser: TestBrowser) => {
      // Neither ends the sign-in: another account, and another session of this one.
      await endThere(of, { subject: `${subject}-other`, browser });
      await endThere(of, { subject, indexes: ["_other"], browser });
      const { isEnded, brings, indexed } = ending;
      if (!isEnded) return;
      await endThere(of, { subject, ...(indexed && { indexes: [`_${subject}`] }), ...(brings && { browser }) });
    };

    await t.test("at the page that asks for another factor", async () => {
      for (const ending of endings) {
        const subject = `factor-${ending.name}`;
        await changeSettings(server, "login", { forceMfa: true });
        const { browser, page } = await signInBySaml(known, subject, `_${subject}`);
        assert.match(page.title, /Protect your account/, page.html);
        await end(known, subject, ending, browser);
        const asked = await browser.submit(page, { kind: "totp" });
        const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(asked.html)?.[1] ?? "").replaceAll(" ", "");
        assert.equal(secret !== "", !ending.isEnded, asked.html);
        if (ending.isEnded) assert.match(asked.html, ended);
        else await finish(browser, await browser.submit(asked, { code: appCode(secret, server.clock.now) }));
        assert.equal((await accountIn(browser)) !== "", !ending.isEnded, ending.name);
      }
      await changeSettings(server, "login", { forceMfa: false });
    });

    await t.test("at the code that a new factor is confirmed with", async () => {
      await changeSettings(server, "login", { forceMfa: true });
      const { browser, page } = await signInBySaml(known, "confirming", "_c");
      const asked = await browser.submit(page, { kind: "totp" });
      const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(asked.html)?.[1] ?? "").replaceAll(" ", "");
      assert.notEqual(secret, "");
      await endThere(known, { subject: "confirming", browser });
      const done = await browser.submit(asked, { code: appCode(secret, server.clock.now) });
      assert.match(done.html, ended);
      assert.equal(await accountIn(browser), "");
      await changeSettings(server, "login", { forceMfa: false });
    });

    await t.test("at the page of an unknown account", async () => {
      for (const ending of endings) {
        const subject = `new-${ending.name}`;
        const { browser, page } = await signInBySaml(byPage, subject, `_${subject}`);
        assert.match(page.title, /Almost there/);
        await end(byPage, subject, ending, browser);
        const done = await browser.submit(page, {}, { action: "/ui/login/external" });
        if (ending.isEnded) assert.match(done.html, ended, ending.name);
        assert.equal((await accountIn(browser)) !== "", !ending.isEnded, ending.name);
      }
    });

    await t.test("before the account is linked to another user", async () => {
      for (const ending of endings) {
        const subject = `link-${ending.name}`;
        const mallory = await addPerson(server, { username: `mallory-${ending.name}` });
        const { browser, page } = await signInBySaml(byPage, subject, `_${subject}`);
        await end(byPage, subject, ending, browser);
        const asked = await browser.submit(page, {}, { action: "/ui/login/external/existing" });
        assert.equal(asked.address.startsWith("/ui/login?"), !ending.isEnded, asked.html);
        if (ending.isEnded) continue;
        const question = await enter({ browser, page: asked }, mallory);
        const linked = await browser.submit(question, { decision: "link" }, { action: "/ui/login/external/link" });
        assert.match(linked.title, /Accounts linked/);
      }
      const mallory = await addPerson(server, { username: "mallory-later" });
      const { browser, page } = await signInBySaml(byPage, "link-later", "_later");
      const asked = await browser.submit(page, {}, { action: "/ui/login/external/existing" });
      await endThere(byPage, { subject: "link-later" });
      const after = await enter({ browser, page: asked }, mallory);
      assert.equal(
        after.forms.some(({ action }) => action.includes("/ui/login/external/link")),
        false,
        "wanted before",
      );
    });

    await t.test("at the code of a new user's address, whose page shows what was entered", async () => {
      await changeSettings(server, "login", { ignoreUnknownUsernames: true });
      for (const isEnded of [false, true]) {
        const subject = `code-${isEnded}`;
        const browser = new TestBrowser(server);
        const address = await postAnswer(byPage, { browser, subject, index: `_${subject}` });
        const page = await browser.open(address);
        const input = { email: `${subject}@elsewhere.example` };
        const asked = await browser.submit(page, input, { action: "/ui/login/external" });
        assert.match(asked.html, new RegExp(`${subject}@elsewhere`), asked.html);
        if (isEnded) await endThere(byPage, { subject });
        const shown = await browser.open(asked.address);
        assert.equal(shown.html.includes(`${subject}@elsewhere`), !isEnded, shown.html);
      }
      await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    });

    await t.test("in a browser that brings it and has not come back with its answer", async () => {
      for (const which of ["nothing", "another provider", "this provider"]) {
        const subject = `unread-${which.replace(" ", "-")}`;
        const browser = new TestBrowser(server);
        const address = await postAnswer(known, { browser, subject, index: `_${subject}` });
        if (which !== "nothing") await endThere(which === "this provider" ? known : byPage, { subject, browser });
        await browser.open(address);
        assert.equal((await accountIn(browser)) !== "", which !== "this provider", which);
      }
    });

    await t.test("in a login of the application's own", async () => {
      await signInBySaml(known, "vera", "_first");
      const query = { queries: [{ emailQuery: { emailAddress: "vera@saml.example" } }] };
      const [{ userId }] = (await server.rest("POST", "/v2/users", { body: query })).body.result;
      const answered = async (index: string) => {
        const { id, token } = (await attemptWith(server, partner, creating, answerOf("vera", index))).parameters;
        return { user: { userId }, idpIntent: { idpIntentId: id, idpIntentToken: token } };
      };
      const open = async (checks: object) => server.rest("POST", "/v2/sessions", { body: { checks } });
      assert.equal((await open(await answered("_api1"))).status, 201);
      const waiting = await answered("_api2");
      await endThere(known, { subject: "vera", indexes: ["_api2"] });
      assert.equal((await open(waiting)).body.details?.[0]?.id, "identity_intent.invalid");
      const { sessionId } = (await open({ user: { userId } })).body;
      const patch = async (checks: object) => server.rest("PATCH", `/v2/sessions/${sessionId}`, { body: { checks } });
      const { idpIntent } = await answered("_api3");
      assert.equal((await patch({ idpIntent })).status, 200);
      await endThere(known, { subject: "vera", indexes: ["_api3"] });
      assert.notEqual((await patch({ idpIntent })).status, 200, "what was added to a session ends it");
    });

    await t.test("also where it comes between the check of an answer and the session", async () => {
      /** Writes the end as the logout does, but ends nothing that a request under way would have read before. */
      const endMeanwhile = async (index: string): Promise<void> => {
        const { database, findInstanceByHost } = server.app.domain;
        const instanceId = (await findInstanceByHost("localhost"))?.instanceId ?? "";
        await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
          tx.run(sql`update provider_sessions set ended_at = ${tx.now}
            where instance_id = ${tx.instanceId} and session_index = ${index}`),
        );
      };
      for (const isEnded of [false, true]) {
        const index = `_between-${isEnded}`;
        const told = await attemptWith(server, partner, creating, answerOf("vera", index));
        if (isEnded) await endMeanwhile(index);
        const { id, token } = told.parameters;
        const checks = {
          user: { loginName: "vera@saml.example" },
          idpIntent: { idpIntentId: id, idpIntentToken: token },
        };
        const made = await server.rest("POST", "/v2/sessions", { body: { checks } });
        assert.equal(slug(made), isEnded ? "400 session.terminated" : "201");
        const browser = new TestBrowser(server);
        const address = await postAnswer(known, { browser, subject: "vera", index: `${index}-page` });
        await changeSettings(server, "login", { forceMfa: true });
        const page = await browser.open(address);
        if (isEnded) await endMeanwhile(`${index}-page`);
        const asked = await browser.submit(page, { kind: "totp" });
        assert.equal(/<code>([A-Z2-7 ]+)<\/code>/.test(asked.html), !isEnded, asked.html);
        await changeSettings(server, "login", { forceMfa: false });
      }
    });
  });
});

/** Goes on after a new factor until the browser is signed in. */
async function finish(browser: TestBrowser, page: ShownPage): Promise<ShownPage> {
  const more = page.forms.find(({ action }) => action.includes("recovery") || action.includes("continue"));
  return more === undefined ? page : browser.submit(page, { saved: "on" }, { action: more.action });
}
