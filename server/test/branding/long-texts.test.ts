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
