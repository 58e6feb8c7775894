import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { autocompleteTokens, href, relayScript, render } from "../../src/html/index.ts";
import { loadAssets } from "../../src/pages/assets.ts";
import { errorPage, pageErrors } from "../../src/pages/login/index.ts";
import { createTexts, directionOf } from "../../src/text/index.ts";
import { decodeText } from "../tour/support/markup.ts";
import { gallery } from "./gallery.ts";
import { pageContext } from "./support/context.ts";

const assets = loadAssets();
const pages = gallery(assets).map((page) => ({ ...page, html: render(page.render()) }));
const texts = createTexts();
const source = resolve(import.meta.dirname, "../../src/pages");
const tags = (html: string, name: string): string[] => html.match(new RegExp(`<${name}\\b[^>]*>`, "g")) ?? [];
const attribute = (tag: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

test("every view is shown from left to right and from right to left, signing in in every language", () => {
  const views = new Set(pages.map(({ view }) => view));
  assert.ok(views.size >= 46);
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

test("whatever ends on the error page has a sentence, a next step, a button and a reference, in every language", () => {
  const button = { to: "start", href: href("/") } as const;
  for (const language of languages) {
    for (const error of pageErrors) {
      const model = { error, button, reference: "reference-1", at: 0, client: { name: "Acme Shop" } };
      const html = decodeText(render(errorPage(pageContext(language), model)).replaceAll(/<\/?(?:strong|bdi)>/g, ""));
      for (const part of ["title", "text", "next"]) {
        const words = texts.translate(language, `error.${error}.${part}`, { client: "Acme Shop" });
        assert.ok(words.length > 3 && html.includes(`>${words}<`), `${error}.${part} ${language}: ${words}`);
      }
      assert.match(html, /<code>reference-1<\/code>/, `${error} ${language}`);
      assert.match(html, /<a class="button primary" href="\/">/, `${error} ${language}`);
    }
  }
});

/** What password managers and phones fill in, by the names of inputs (HTML §4.10.18.7). */
const tokensByName: Readonly<Record<string, RegExp>> = {
  login_name: /^username(?: webauthn)?$/,
  // Nothing is filled in that goes to the servers of an organization.
  username: /^(?:username|off)$/,
  login_name_again: /^off$/,
  password: /^(?:current-password(?: webauthn)?|new-password)$/,
  current_password: /^current-password$/,
  new_password: /^new-password$/,
  new_password_repeated: /^new-password$/,
  // No password manager may keep a recovery code: only the user does.
  code: /^(?:one-time-code|off)$/,
  user_code: /^off$/,
  setup_code: /^off$/,
  // Of an organization, not of the user.
  domain: /^off$/,
  provider_name: /^off$/,
  issuer: /^off$/,
  client_id: /^off$/,
  client_secret: /^off$/,
  metadata_url: /^off$/,
  key_name: /^off$/,
  passkey_name: /^off$/,
  given_name: /^given-name$/,
  family_name: /^family-name$/,
  display_name: /^name$/,
  nickname: /^nickname$/,
  email: /^email$/,
  phone: /^tel$/,
  organization_name: /^organization$/,
  language: /^language$/,
  gender: /^sex$/,
};

test("each input has the token of what it asks for, on every page", () => {
  for (const { name, html } of pages) {
    for (const tag of [...tags(html, "input"), ...tags(html, "select")]) {
      if (["hidden", "checkbox", "file"].includes(attribute(tag, "type") ?? "")) continue;
      const wanted = tokensByName[attribute(tag, "name") ?? ""];
      assert.ok(wanted, `${name}: nobody said what managers fill into ${tag}`);
      assert.match(attribute(tag, "autocomplete") ?? "", wanted, `${name}: ${tag}`);
      const isRecovery = name.startsWith("second-factor.recovery");
      const isForStranger = name.startsWith("directory.") && html.includes("belongs to the organization");
      if (isForStranger) assert.match(attribute(tag, "autocomplete") ?? "", /^(?:off|new-password)$/, name);
      if (attribute(tag, "name") === "code") assert.equal(attribute(tag, "autocomplete") === "off", isRecovery, name);
    }
  }
});

test("a page with all that it loads is at most 20 kB, of the account 30 kB, in five requests, in every state", () => {
  for (const { name, view, html } of pages) {
    const loaded = new Set([...html.matchAll(/ (?:src|href)="(\/ui\/assets\/[^"]+)"/g)].map(([, path = ""]) => path));
    const sizes = [...loaded].map((path) => [path, assets.find(path)?.brotli().length ?? Number.NaN] as const);
    const sum = (of: typeof sizes): number => of.reduce((total, [, size]) => total + size, 0);
    const total = Buffer.byteLength(html) + sum(sizes);
    assert.ok(total <= (view.startsWith("account-") ? 30_000 : 20_000), `${name}: ${total} bytes`);
    const scripts = sum(sizes.filter(([path]) => path.endsWith(".js")));
    assert.ok(scripts <= 6000, `${name}: ${scripts} bytes of script`);
    // A branding adds its style sheet, a logo and a font of its own.
    assert.ok(loaded.size + 1 <= 5, `${name}: ${loaded.size + 1} requests`);
  }
});

test("an input that users fill in has a token of the list, a label, and says whether it is required", () => {
  for (const { name, html } of pages) {
    for (const tag of tags(html, "input")) {
      const type = attribute(tag, "type") ?? "";
      if (["hidden", "checkbox"].includes(type)) continue;
      assert.ok(
        type === "file" || autocompleteTokens.some((token) => token === attribute(tag, "autocomplete")),
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
    "given-name",
    "family-name",
    "email",
    "username",
    "new-password",
    "new-password",
    "off",
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

test("a form posts, proves its browser, and has one button that sends it, and further ones for alternatives", () => {
  for (const { name, html, relayScriptHash } of pages) {
    for (const [form] of html.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
      if (relayScriptHash !== undefined) {
        // This form posts to an application, which must never learn how a browser proves itself here.
        assert.match(form, /^<form method="post" action="https:\/\/[^"]*">/, name);
        assert.doesNotMatch(form, /csrf_token/, name);
        continue;
      }
      assert.match(form, /^<form method="post" action="\/[^"]*"(?: enctype="multipart\/form-data")? novalidate>/, name);
      assert.match(form, /<input type="hidden" name="csrf_token" value="[\w-]{43}">/, name);
      const [first, ...others] = form.match(/<button type="submit"[^>]*>/g) ?? [];
      assert.doesNotMatch(first ?? "", / name=/, `${name}: what Enter presses is the ordinary way`);
      assert.ok(first !== undefined, name);
      for (const other of others) assert.match(other, /class="button secondary" name="[^"]+" value="[^"]+"/, name);
    }
    assert.ok((html.match(/class="button primary"/g)?.length ?? 0) <= 1, `${name}: two primary buttons`);
  }
});

test("a page with an error says so first: in its title, and in one alert", () => {
  for (const { name, html, view, state, language } of pages) {
    const isFailure = view === "external-outcome" && state !== "default";
    const isWrong = view === "error" || /^refused$|\berror$/.test(state) || isFailure;
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

test("the application that asks is named on every page of its sign-in", () => {
  for (const view of ["login-name", "password", "password-change", "choose-account", "continue"]) {
    const html = pages.find(({ name }) => name === `${view}.default.en`)?.html ?? "";
    assert.match(html, /Acme Shop/, view);
    assert.match(html, /shop\.acme\.example/, view);
  }
});

test("no page has an inline script, style or handler, nor a text without a translation", () => {
  for (const { name, html, relayScriptHash } of pages) {
    const inside = relayScriptHash === undefined ? "" : `<script>${relayScript}</script>`;
    assert.doesNotMatch(
      html.replace(inside, ""),
      /<style|<script(?! type="module" src="\/ui\/assets\/)|\sstyle=|\son\w+=|javascript:/i,
      name,
    );
    assert.doesNotMatch(html, /\{\w+\}|undefined|\[object|\[secret/, name);
    assert.doesNotMatch(
      // Links of registered clients load nothing, and lead there in a window of their own.
      html.replaceAll(/ href="[^"]*" target="_blank" rel="noopener noreferrer nofollow"/g, ""),
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
      readFileSync(join(source, file), "utf8"),
      /<(?:form|input|select|textarea|button|a|script|style)\b| style=/,
      file,
    );
  }
});
