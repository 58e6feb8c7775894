import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

const longest = 500;
const texts = "/v2/appearance/texts";
const preview = "/v2/appearance/preview";
const hosted = "/v2/settings/hosted_login_translation";

eachServer((start) => {
  test("a text of a page is as long as version 1 lets it be, also in previews", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const ofAcme = { organizationId: acme.organizationId, language: "en" };
    const words = (text: string) => ({ texts: { "login_name.title": text } });
    const calls: Record<string, (text: string) => ReturnType<typeof server.rest>> = {
      organization: (text) => server.rest("PUT", texts, { body: { ...ofAcme, ...words(text) }, token: acme.token }),
      instance: (text) => server.rest("PUT", texts, { body: { language: "en", ...words(text) } }),
      preview: (text) => {
        const body = { ...ofAcme, page: { page: "LOGIN_PAGE_LOGIN_NAME", ...words(text) } };
        return server.rest("POST", preview, { body, token: acme.token });
      },
      hosted: (text) => {
        const translations = { login_name: { title: text } };
        return server.rest("PUT", hosted, { body: { instance: true, locale: "en", translations } });
      },
    };
    for (const [name, set] of Object.entries(calls)) {
      assert.equal((await set("😀".repeat(longest))).status, 200, `${name}: counted as people count`);
      const refused = await set("x".repeat(longest + 1));
      assert.deepEqual([refused.status, refused.body.details?.[0]?.id], [400, "field.too_long"], name);
    }
  });

  test("a key has one spelling, so that the text that is checked is the one that pages show", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const { organizationId } = await addOwnedOrganization(server, "Acme");
    const set = async (scope: object, translations: object) => {
      const { status, body } = await server.rest("PUT", hosted, { body: { ...scope, locale: "en", translations } });
      return [status, body.details?.[0]?.id];
    };
    const page = async () => (await new TestBrowser(server).open("/ui/login?account=other")).html;
    const long = "x".repeat(480_000);
    const both = (...titles: [string, string]) => [
      { "login_name.title": titles[0], login_name: { title: titles[1] } },
      { login_name: { title: titles[0] }, "login_name.title": titles[1] },
    ];
    for (const translations of [...both(long, "Hello"), { portal: { "a.b": "1", a: { b: "2" } } }]) {
      assert.deepEqual(await set({ instance: true }, translations), [400, "field.not_unique"]);
    }
    assert.deepEqual(await set({ instance: true }, { "login_name.title": long }), [400, "field.too_long"]);
    assert.deepEqual(await set({ instance: true }, { fault: { sign_in: { wrong_credentials: long } } }), [
      400,
      "field.too_long",
    ]);
    // Each spelling alone is taken, and counts over the other one of the level above.
    assert.deepEqual(await set({ instance: true }, { "login_name.title": "Of all", login_name: { label: "You" } }), [
      200,
      undefined,
    ]);
    assert.deepEqual(await set({ organizationId }, { login_name: { title: "Of Acme" } }), [200, undefined]);
    assert.match(await page(), /Of all/);
    const read = async (query: string) =>
      (await server.rest("GET", `${hosted}?locale=en&${query}`)).body.translations.login_name.title;
    const titles = [await read(`organizationId=${organizationId}`), await read("instance=true")];
    assert.deepEqual(titles, ["Of Acme", "Of all"]);
    // What was stored by both spellings before is not shown.
    const half = long.slice(0, 200_000);
    for (const [index, translations] of both(half, half).entries()) {
      const stored = JSON.stringify(translations);
      await database.touch(testCall({ instanceId: "" }), (tx) =>
        tx.run(sql`update login_translations set translations = ${stored} where organization_id = ''`),
      );
      const label = `Label ${index}`;
      const body = { language: "en", texts: { "login_name.label": label } };
      assert.equal((await server.rest("PUT", texts, { body })).status, 200);
      const html = await page();
      assert.ok(html.includes(label));
      assert.ok(html.length < 100_000);
    }
  });

  test("texts of a custom login have other lengths, and are not kept for our pages", async (t) => {
    const server = await start(t);
    const { findLoginWords, database } = server.app.domain;
    const translations = { portal: { terms: "x".repeat(100_000) }, login_name: { title: "Hello" } };
    const set = await server.rest("PUT", hosted, { body: { instance: true, locale: "en", translations } });
    assert.equal(set.status, 200);
    const { instance_id: instanceId = "" } =
      (await database.read.maybe<{ instance_id: string }>(sql`select instance_id from instances`)) ?? {};
    const words = await findLoginWords({ instanceId, organizationId: undefined, language: "en" });
    assert.deepEqual([...words], [["login_name.title", "Hello"]]);
  });

  test("longer texts that were stored before are shown, and do not hinder others", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const set = (title: string) =>
      server.rest("PUT", texts, { body: { language: "en", texts: { "login_name.label": title } } });
    assert.equal((await set("Name")).status, 200);
    const long = "Welcome ".repeat(200);
    const stored = JSON.stringify({ login_name: { title: long } });
    await database.touch(testCall({ instanceId: "" }), (tx) =>
      tx.run(sql`update login_translations set translations = ${stored}`),
    );
    assert.equal((await set("Your name")).status, 200);
    const { html } = await new TestBrowser(server).open("/ui/login?account=other");
    assert.ok(html.includes(long.trim()));
    assert.match(html, /Your name/);
  });

  test("a list of choices has each once", async (t) => {
    const server = await start(t);
    const secondFactors = new Array<string>(100).fill("SECOND_FACTOR_TYPE_OTP");
    const path = "/v2/settings/login";
    const set = await server.rest("PATCH", path, {
      body: { ctx: { instance: true }, settings: { secondFactors }, updateMask: "secondFactors" },
    });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    assert.deepEqual(set.body.settings.secondFactors, ["SECOND_FACTOR_TYPE_OTP"]);
  });
});
