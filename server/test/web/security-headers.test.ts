import assert from "node:assert/strict";
import { test } from "node:test";
import { assetHeaders, pageHeaders } from "../../src/web/index.ts";

const policy = (headers: Record<string, string>): Map<string, string> =>
  new Map(
    (headers["content-security-policy"] ?? "").split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values.join(" ")];
    }),
  );

test("sign-in pages load only our own resources, and have no form-action, which would block the redirect back", () => {
  assert.equal(
    pageHeaders({ surface: "login", isHttps: true })["content-security-policy"],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
      "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  );
});

test("pages that users open by themselves post only to us and share no window", () => {
  const headers = pageHeaders({ surface: "account", isHttps: true, frameAncestors: ["https://a.example"] });
  assert.equal(policy(headers).get("form-action"), "'self'");
  assert.equal(policy(headers).get("frame-ancestors"), "'none'");
  assert.equal(headers["cross-origin-opener-policy"], "same-origin");
  assert.equal(pageHeaders({ surface: "login", isHttps: true })["cross-origin-opener-policy"], undefined);
});

test("no page of signing in may be framed, unless the settings name the origin", () => {
  assert.equal(pageHeaders({ surface: "login", isHttps: true })["x-frame-options"], "DENY");
  const framed = pageHeaders({
    surface: "login",
    isHttps: true,
    frameAncestors: ["https://a.example", "https://b.example:8443"],
  });
  assert.equal(policy(framed).get("frame-ancestors"), "https://a.example https://b.example:8443");
  assert.equal(framed["x-frame-options"], undefined);
});

test("a value that is not exactly an origin never reaches the policy", () => {
  for (const bad of [
    "*",
    "https:",
    "https://*.example",
    "https://a.example/",
    "https://a.example; script-src *",
    "'self'",
    "data:",
    "https://a.example\nx: y",
    "javascript:alert(1)",
    "https://a.example https://b.example",
    "",
  ]) {
    const headers = pageHeaders({ surface: "login", isHttps: true, frameAncestors: [bad] });
    assert.equal(policy(headers).get("frame-ancestors"), "'none'", bad);
    assert.equal(policy(headers).get("script-src"), "'self'", bad);
    assert.equal(headers["x-frame-options"], "DENY", bad);
  }
});

test("our own forms keep their Origin, nothing is kept or sniffed, and only passkeys are allowed", () => {
  const headers = pageHeaders({ surface: "login", isHttps: false });
  assert.equal(headers["referrer-policy"], "same-origin");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
  assert.match(headers["permissions-policy"] ?? "", /camera=\(\).*publickey-credentials-get=\(self\)/);
});

test("a browser is told to insist on https only where the origin is https", () => {
  assert.equal(pageHeaders({ surface: "login", isHttps: false })["strict-transport-security"], undefined);
  assert.equal(pageHeaders({ surface: "login", isHttps: true })["strict-transport-security"], "max-age=31536000");
  assert.equal(assetHeaders(true)["strict-transport-security"], "max-age=31536000");
});

test("a file that is opened by itself runs nothing", () => {
  assert.match(assetHeaders(false)["content-security-policy"] ?? "", /^default-src 'none'.*sandbox$/);
  assert.equal(assetHeaders(false)["x-content-type-options"], "nosniff");
});
