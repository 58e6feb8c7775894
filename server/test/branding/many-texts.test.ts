import assert from "node:assert/strict";
import { test } from "node:test";
import { toScreens, withScreens } from "../../src/domain/login-text/custom-login-text.ts";
import { nestTexts, replaceTexts } from "../../src/domain/login-text/login-translation.ts";
import { eachServer } from "../support/servers/each-server.ts";

const numbered = (count: number, prefix = ""): [string, string][] =>
  Array.from({ length: count }, (_, index) => [`${prefix}k${index.toString(36)}`, "x"]);

// Quadratic work on this many texts takes a quarter of an hour: a test that never ends is how a mistake shows.
const many = 50_000;

test("texts of a level are nested, replaced and sorted into screens in linear time", () => {
  const nested = nestTexts([...numbered(many), ...numbered(many, "v1.s.")]);
  assert.equal(Object.keys(nested).length, many + 1);
  assert.equal(Object.keys(toScreens(nested)["s"] ?? {}).length, many);
  const replaced = withScreens(nested, { loginText: { title: "Hello" } });
  assert.deepEqual([Object.keys(replaced).length, replaced["login_name"]], [many + 1, { title: "Hello" }]);
  assert.equal(replaced["v1"], undefined, "texts for screens that our pages do not have are replaced too");
  const one = replaceTexts(nested, new Map([["k0", "y"]]), (key) => key === "k0");
  assert.deepEqual([Object.keys(one).length, one["k0"], one["k1"]], [many + 1, "y", "x"]);
});

test("texts that are not replaced stay exactly as they are", () => {
  const before = { "a.b": "1", a: "2", c: { d: "3", "e.f": "4", g: {} }, login_name: { title: "5" } };
  const isTitle = (key: string) => key === "login_name.title";
  const others = { "a.b": "1", a: "2", c: { d: "3", "e.f": "4" } };
  const texts = (title: string) => new Map([["login_name.title", title]]);
  assert.deepEqual(replaceTexts(before, texts("6"), isTitle), { ...others, login_name: { title: "6" } });
  assert.deepEqual(replaceTexts(before, texts(""), isTitle), others, "an empty text is left out");
  const dotted = { ...others, "login_name.title": "5" };
  assert.deepEqual(replaceTexts(dotted, texts("6"), isTitle), { ...others, login_name: { title: "6" } });
  const hostile = Object.fromEntries([["__proto__", "7"]]);
  const kept = replaceTexts(hostile, texts("8"), isTitle);
  assert.deepEqual(Object.entries(kept), [
    ["__proto__", "7"],
    ["login_name", { title: "8" }],
  ]);
});

eachServer((start) => {
  test("a level has 5,000 texts in a language, however short they are", async (t) => {
    const server = await start(t);
    const store = (count: number) => {
      const translations = Object.fromEntries(numbered(count));
      const body = { instance: true, locale: "en", translations };
      return server.rest("PUT", "/v2/settings/hosted_login_translation", { body });
    };
    const setOne = () =>
      server.rest("PUT", "/v2/appearance/texts", { body: { language: "en", texts: { "login_name.title": "Hello" } } });
    const setScreen = (title: string) =>
      server.rest("PUT", "/admin/v1/text/login/en", { body: { loginText: { title } } });
    const refused = async (answer: ReturnType<typeof setOne>) => {
      const { status, body } = await answer;
      assert.deepEqual([status, body.details?.[0]?.id], [400, "field.too_many"]);
    };
    await refused(store(5_001));
    assert.equal((await store(5_000)).status, 200);
    await refused(setOne());
    await refused(setScreen("Hello"));
    assert.equal((await store(4_999)).status, 200);
    assert.equal((await setOne()).status, 200);
    assert.equal((await setScreen("Good morning")).status, 200);
  });
});
