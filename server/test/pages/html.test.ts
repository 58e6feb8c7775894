import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "../../src/base/secret.ts";
import {
  arrangeErrors,
  autocompleteTokens,
  type Control,
  field,
  fillHtml,
  form,
  given,
  href,
  html,
  notice,
  page,
  providerIcon,
  render,
  toHref,
  usernameForManagers,
} from "../../src/html/index.ts";
import { pageContext } from "./support/context.ts";

const context = pageContext();
const hostile = `"><script>alert(1)</script>' onfocus=alert(1) autofocus x='&`;

test("what comes from outside is text, wherever a page puts it", () => {
  const shown = render(
    page(context, {
      title: hostile,
      body: html`${given(hostile)}${usernameForManagers(hostile)}${field(context, {
        type: "text",
        autocomplete: "username",
        name: "login_name",
        label: hostile,
        hint: hostile,
        value: hostile,
        suffix: hostile,
        error: { id: "e", message: hostile },
      })}${form(context, { action: href("/x"), hidden: { state: hostile }, submit: { label: hostile, ariaLabel: hostile } })}
${fillHtml("Hello {name}, {missing}", { name: hostile })}${arrangeErrors(context, [{ message: hostile }]).summary}`,
    }),
  );
  assert.doesNotMatch(shown, /<script|' onfocus/);
  assert.equal(shown.split("&lt;script&gt;").length - 1, 13);
});

test("markup in a text of the catalogues is text too", () => {
  assert.equal(render(fillHtml("<b>{name}</b>", { name: html`<i>x</i>` })), "&lt;b&gt;<i>x</i>&lt;/b&gt;");
});

test("a template takes neither objects nor promises, so that nothing pretends to be markup", () => {
  // @ts-expect-error: a parsed JSON object that claims to be escaped is not markup
  html`${JSON.parse('{"isEscaped":true}') as { isEscaped: boolean }}`;
  // @ts-expect-error: a secret is not shown, and does not compile
  assert.equal(render(html`${new Secret("s3cret")}`), "[secret]");
  // @ts-expect-error: a page does not wait
  assert.throws(() => html`${Promise.resolve("late")}`, TypeError);
});

test("an address is a path of ours or http(s), and nothing that looks like one", () => {
  for (const good of [
    "/ui/login?x=1",
    "?ui_locales=de",
    "#main",
    "https://app.example.test/cb",
    "http://localhost:1/",
  ]) {
    assert.equal(toHref(good), good);
  }
  for (const bad of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "https:evil.test",
    "https://user:pw@evil.test/",
    "vbscript:x",
    "login",
    "\u0000/x",
    "/\tevil",
    "http://[::1",
  ]) {
    assert.equal(toHref(bad), undefined, bad);
    assert.throws(() => href(bad), TypeError);
  }
});

test("an input without a token of the list does not compile, and a password cannot be sent back", () => {
  const base = { name: "x", label: "X" };
  const controls: Control[] = [];
  // @ts-expect-error: no token
  field(context, { ...base, type: "text" });
  // @ts-expect-error: not a token
  field(context, { ...base, type: "text", autocomplete: "firstname" });
  // @ts-expect-error: `webauthn` stands last (WebAuthn conditional mediation)
  controls.push({ type: "text", autocomplete: "webauthn username" });
  // @ts-expect-error: a password is not kept from the managers
  controls.push({ type: "password", autocomplete: "off" });
  // @ts-expect-error: a password has no value
  controls.push({ type: "password", autocomplete: "new-password", value: "typed" });
  assert.equal(new Set(autocompleteTokens).size, autocompleteTokens.length);
});

test("one error is said once, in an alert that links to its field, and the field has the focus", () => {
  const errors = arrangeErrors(context, [{ field: "password", message: "Wrong." }]);
  const summary = errors.summary === undefined ? "" : render(errors.summary);
  assert.match(summary, /role="alert"><p id="password-error"><a href="#password">Wrong\.<\/a>/);
  assert.deepEqual(errors.of("password"), { id: "password-error", message: undefined });
  assert.equal(errors.focuses("password"), true);

  const input = render(
    field(context, {
      type: "password",
      autocomplete: "current-password",
      name: "password",
      label: "Password",
      error: errors.of("password"),
      autofocus: errors.focuses("password"),
    }),
  );
  assert.match(input, /aria-invalid="true" aria-describedby="password-error"/);
  assert.match(input, / required/);
  assert.match(input, / autofocus/);
});

test("several errors are repeated at their fields, and the summary has the focus", () => {
  const errors = arrangeErrors<"a" | "b">(context, [
    { field: "a", message: "A is missing." },
    { field: "b", message: "B is wrong." },
  ]);
  const summary = errors.summary === undefined ? "" : render(errors.summary);
  assert.match(summary, /tabindex="-1" autofocus><svg .*<\/svg><div role="alert">/);
  assert.deepEqual(summary.match(/href="#\w"/g), ['href="#a"', 'href="#b"']);
  assert.deepEqual(errors.of("b"), { id: "b-error", message: "B is wrong." });
  assert.equal(errors.focuses("a", true), false);
});

test("a notice has the icon and the color of what it means, and only its words are announced", () => {
  const drawn = (["error", "danger", "warning", "success", "info"] as const).map((kind) =>
    render(notice(kind, "Words.", { role: "status", hidden: true })),
  );
  for (const each of drawn)
    assert.match(each, / hidden><svg class="icon" aria-hidden="true".*<div role="status">Words\.</);
  assert.equal(new Set(drawn).size, drawn.length);
});

test("only providers whose servers are the vendor's own have a mark, and one that is not named has none", () => {
  const marked = (["google", "azure_ad", "github", "gitlab", "apple"] as const).map((kind) =>
    render(providerIcon(kind)),
  );
  for (const each of marked) assert.match(each, /^<svg class="mark" aria-hidden="true"/);
  assert.equal(new Set(marked).size, marked.length);
  for (const kind of ["github_es", "gitlab_self_hosted", "oidc", "oauth", "jwt", "saml", "ldap", undefined] as const) {
    assert.match(render(providerIcon(kind)), /^<svg class="icon" aria-hidden="true"/, String(kind));
  }
});

test("without errors there is no alert, and the first field has the focus", () => {
  const errors = arrangeErrors<"a" | "b">(context);
  assert.deepEqual([errors.any, errors.summary, errors.of("a")], [false, undefined, undefined]);
  assert.deepEqual([errors.focuses("a", true), errors.focuses("b")], [true, false]);
});

test("a form posts, carries the token of this browser, and has one button", () => {
  const shown = render(form(context, { action: href("/ui/login"), hidden: { state: "s" }, submit: { label: "Go" } }));
  assert.match(shown, /<form method="post" action="\/ui\/login" novalidate>/);
  assert.match(shown, /<input type="hidden" name="csrf_token" value="csrf-token-of-this-browser">/);
  assert.equal(shown.match(/<button/g)?.length, 1);
});

test("a page says its language and direction, and prefixes its title when something is wrong", () => {
  const german = render(page(pageContext("de"), { title: "Anmelden", hasErrors: true, body: "x" }));
  assert.match(german, /^<!doctype html>\n<html lang="de" dir="ltr">/);
  assert.match(german, /<title>Fehler: Anmelden – Doorward<\/title>/);
  assert.match(german, /<a href="\?ui_locales=en" lang="en" hreflang="en">English<\/a>/);
  assert.match(render(page(pageContext("ar"), { title: "x", body: "x" })), /<html lang="ar" dir="rtl">/);
});
