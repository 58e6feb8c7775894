import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { languages } from "../../src/base/language.ts";
import { loadAssets } from "../../src/pages/assets.ts";
import { autocompleteTokens, render } from "../../src/pages/html/index.ts";
import { pageErrors } from "../../src/pages/login/index.ts";
import { createTexts, directionOf } from "../../src/text/index.ts";
import { gallery } from "./gallery.ts";

const pages = gallery(loadAssets()).map((page) => ({ ...page, html: render(page.render()) }));
const texts = createTexts();
const source = fileURLToPath(new URL("../../src/pages/", import.meta.url));
const tags = (html: string, name: string): string[] => html.match(new RegExp(`<${name}\\b[^>]*>`, "g")) ?? [];
const attribute = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

test("every view is shown from left to right and from right to left, signing in in every language", () => {
  const views = new Set(pages.map(({ view }) => view));
  assert.equal(views.size, 44);
  for (const view of views) {
    for (const name of ["default.en", "default.ar"]) {
      assert.ok(
        pages.some((page) => page.name === `${view}.${name}`),
        `${view}.${name}`,
      );
    }
  }
  for (const language of languages) {
    const html = pages.find(({ name }) => name === `password.default.${language}`)?.html ?? "";
    assert.ok(html.includes(`<html lang="${language}" dir="${directionOf(language)}">`), language);
    const others = languages.filter((other) => other !== language);
    assert.deepEqual(
      [...html.matchAll(/ hreflang="(\w+)"/g)].map(([, other]) => other),
      others,
      language,
    );
  }
});

test("every error has a page of its own", () => {
  const titles = new Set(
    pages.filter(({ view }) => view === "error").map(({ html }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]),
  );
  assert.equal(titles.size, pageErrors.length * 2);
});

test("an input that people fill in has a token of the list, a label, and says whether it is required", () => {
  for (const { name, html } of pages) {
    for (const tag of tags(html, "input")) {
      const type = attribute(tag, "type") ?? "";
      if (["hidden", "checkbox"].includes(type)) continue;
      assert.ok(
        autocompleteTokens.some((token) => token === attribute(tag, "autocomplete")),
        `${name}: ${tag}`,
      );
      if (tag.includes('aria-hidden="true"')) continue;
      assert.ok(html.includes(`<label for="${attribute(tag, "id")}">`), `${name}: ${tag}`);
      const label = html.slice(html.indexOf(`<label for="${attribute(tag, "id")}">`)).split("</label>", 1)[0];
      assert.equal(/ required(?: |>)/.test(tag), !label?.includes('class="muted"'), `${name}: ${tag}`);
    }
  }
});

test("the tokens are those that managers look for", () => {
  const tokensOf = (page: string): (string | undefined)[] =>
    tags(pages.find(({ name }) => name === page)?.html ?? "", "input")
      .map((tag) => attribute(tag, "autocomplete"))
      .filter((token) => token !== undefined);
  assert.deepEqual(tokensOf("login-name.default.en"), ["username webauthn"]);
  assert.deepEqual(tokensOf("password.default.en"), ["username", "current-password"]);
  // The last one is for browsers without script.
  const changed = ["username", "current-password", "new-password", "new-password"];
  assert.deepEqual(tokensOf("password-change.default.en"), changed);
  assert.deepEqual(tokensOf("setup.default.en"), [
    ...["given-name", "family-name", "email", "username", "new-password", "new-password", "off"],
  ]);
});

test("a password is never sent back, a name is", () => {
  for (const { name, html } of pages) {
    for (const tag of tags(html, "input").filter((input) => attribute(input, "type") === "password")) {
      assert.equal(attribute(tag, "value"), undefined, name);
    }
  }
  const wrong = pages.find(({ name }) => name === "password.error.en")?.html ?? "";
  assert.match(wrong, /autocomplete="username"[^>]* value="ada@acme\.example"/);
  assert.match(wrong, /<bdi>ada@acme\.example<\/bdi>/);
});

test("a form posts, proves its browser, and has one button that sends it", () => {
  for (const { name, html } of pages) {
    for (const [form] of html.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
      assert.match(form, /^<form method="post" action="\/[^"]*" novalidate>/, name);
      assert.match(form, /<input type="hidden" name="csrf_token" value="[\w-]{43}">/, name);
      assert.equal(form.match(/type="submit"/g)?.length, 1, name);
    }
    assert.ok((html.match(/class="button primary"/g)?.length ?? 0) <= 1, `${name}: two primary buttons`);
  }
});

test("a page with an error says so first: in its title, and in one alert", () => {
  for (const { name, html, view, state, language } of pages) {
    const isFailure = view === "external-outcome" && state !== "default";
    const isWrong = view === "error" || state === "error" || isFailure;
    assert.equal(html.match(/role="alert"/g)?.length ?? 0, isWrong ? 1 : 0, name);
    const first = texts.translate(language, "page.error_title", { title: "" });
    assert.equal(html.includes(`<title>${first}`), isWrong, name);
  }
});

test("a page has one heading of the first level, ids that are unique, and refers only to ids that it has", () => {
  for (const { name, html } of pages) {
    assert.equal(tags(html, "h1").length, 1, name);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, name);
    for (const [, referred = ""] of html.matchAll(
      / (?:aria-describedby|aria-labelledby|aria-controls|for)="([^"]*)"/g,
    )) {
      for (const id of referred.split(" ")) assert.ok(ids.includes(id), `${name}: ${id}`);
    }
    for (const [, id] of html.matchAll(/ href="#([^"]+)"/g)) assert.ok(ids.includes(id), `${name}: #${id}`);
    assert.ok((html.match(/ autofocus/g)?.length ?? 0) <= 1, `${name}: two elements want the focus`);
  }
});

test("the application that asks is named wherever somebody signs in to it", () => {
  for (const view of ["login-name", "password", "password-change", "choose-account", "continue"]) {
    const html = pages.find(({ name }) => name === `${view}.default.en`)?.html ?? "";
    assert.match(html, /Acme Shop/, view);
    assert.match(html, /shop\.acme\.example/, view);
  }
});

test("no page has a script, a style or a handler inside, nor a text that nobody wrote", () => {
  for (const { name, html } of pages) {
    assert.doesNotMatch(
      html,
      /<style|<script(?! type="module" src="\/ui\/assets\/)|\sstyle=|\son\w+=|javascript:/i,
      name,
    );
    assert.doesNotMatch(html, /\{\w+\}|undefined|\[object|\[secret/, name);
    assert.doesNotMatch(
      html,
      /(?:src|href)="(?:https?:)?\/\/(?!shop\.acme\.example)/,
      `${name}: something foreign is loaded`,
    );
  }
});

test("views leave forms, inputs, buttons and links to the one renderer", () => {
  const views = globSync("{login,account,parts}/**/*.ts", { cwd: source });
  assert.ok(views.length > 60);
  for (const file of views) {
    assert.doesNotMatch(
      readFileSync(source + file, "utf8"),
      /<(?:form|input|select|textarea|button|a|script|style)\b| style=/,
      file,
    );
  }
});
