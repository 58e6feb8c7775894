import assert from "node:assert/strict";
import { ownerOf } from "../../account/support/account.ts";
import { addApp } from "../../factor/support.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import { codeOf, codesOn, goOn, half } from "../support/second-factors.ts";
import { isBack } from "../support/sign-in.ts";

const codesPage = /^Recovery codes/;
const secretOn = ({ html }: ShownPage): string =>
  (/<code>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? "").replaceAll(" ", "");

/** Follows the link of a page that has these words. */
function follow(browser: TestBrowser, { html }: ShownPage, words: string): Promise<ShownPage> {
  const [, address] =
    new RegExp(`<a [^>]*href="([^"]+)"[^>]*>(?:<svg(?:(?!</a>).)*</svg><span>)?${words}(?:</span>)?</a>`).exec(html) ??
    [];
  assert.ok(address, `no link "${words}": ${html}`);
  return browser.open(address.replaceAll("&amp;", "&"));
}

serversInTurn((start, test) => {
  test("a first second factor on the way in comes with recovery codes, once, and each is a way in (U4)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true });
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page, client, codeVerifier } = await half(server, ada);
    const shown = await browser.submit(page, { kind: "totp" });
    const kept = await browser.submit(shown, { code: appCode(secretOn(shown), server.clock.now) });
    assert.match(kept.title, codesPage);
    const codes = codesOn(kept);
    assert.equal(new Set(codes).size, 10);
    const back = await goOn(browser, kept);
    assert.ok(isBack(back), back.html);
    const { body } = await client.exchange(back.address, codeVerifier);
    assert.ok(body.id_token);

    server.clock.now += 1000;
    const lost = await half(server, ada);
    assert.match(lost.page.title, /^Enter the code from your app/);
    const methods = await follow(lost.browser, lost.page, "I do not have my app");
    const typing = await follow(lost.browser, methods, "Recovery code");
    assert.ok(isBack(await lost.browser.submit(typing, { code: codes[0] ?? "" })));
    const again = await half(server, ada);
    const used = await follow(
      again.browser,
      await follow(again.browser, again.page, "I do not have my app"),
      "Recovery code",
    );
    assert.match((await again.browser.submit(used, { code: codes[0] ?? "" })).title, /^Error: /, "it works once");
  });

  test("without recovery codes the code page says whom to ask (U4)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    await addApp(server, ada, (made) => appCode(made, server.clock.now));
    const { browser, page } = await half(server, ada);
    const stuck = await follow(browser, page, "I do not have my app");
    assert.match(stuck.title, /^Help with your second factor/);
    assert.match(stuck.html, /Contact the administrator of your organization/);
    const code = await follow(browser, stuck, "Code from an authenticator app");
    assert.match(code.title, /^Enter the code from your app/);
  });

  test("no codes are made where the settings do not allow them (U4)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { forceMfa: true, secondFactors: ["totp", "u2f"] });
    const { browser, page } = await half(server, await addPerson(server, { username: "ada" }));
    const shown = await browser.submit(page, { kind: "totp" });
    const back = await browser.submit(shown, { code: appCode(secretOn(shown), server.clock.now) });
    assert.ok(isBack(back), back.html);
  });

  test("a first second factor on the account pages comes with recovery codes, a later one does not (U4)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "login", { secondFactors: ["totp", "u2f", "otp_email", "recovery_codes"] });
    const owner = await ownerOf(server, await addPerson(server, { username: "ada" }));
    const shown = await owner.send("/ui/account/totp");
    const code = appCode(secretOn(shown), server.clock.now);
    const kept = await owner.browser.submit(shown, { code }, { action: "/confirm" });
    assert.match(kept.title, codesPage);
    const codes = codesOn(kept);
    assert.equal(new Set(codes).size, 10);
    const unkept = await owner.browser.submit(kept, {}, { action: "/kept" });
    assert.deepEqual(codesOn(unkept), codes, "shown again to a person who has not kept them");
    const done = await owner.browser.submit(unkept, { kept: "1" }, { action: "/kept" });
    assert.match(done.address, /^\/ui\/account\/methods/);
    const asked = await owner.send("/ui/account/methods/add?kind=otp_email");
    const second = await owner.browser.submit(asked, { code: await codeOf(server, "ada@mail.example") });
    assert.match(second.address, /^\/ui\/account\/methods/, "the codes that she has noted down stay");
    assert.match(second.html, /Codes left: 10/);
  });
});
