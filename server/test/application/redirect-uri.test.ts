import assert from "node:assert/strict";
import { test } from "node:test";
import {
  defaultOidcConfiguration,
  matchPostLogoutRedirectUri,
  matchRedirectUri,
  type OidcConfiguration,
} from "../../src/domain/oidc-configuration/index.ts";
import { hostileUrls, scriptUrls } from "../support/hostile/hostile-urls.ts";

const types = ["web", "user_agent", "native"] as const;
const configure = (given: Partial<OidcConfiguration>): OidcConfiguration => ({ ...defaultOidcConfiguration, ...given });
const matches = (given: Partial<OidcConfiguration>, uri: string, responseType?: string): boolean =>
  matchRedirectUri(configure(given), uri, responseType) === uri;

test("a registered https URI is accepted for every type, letter by letter", () => {
  for (const applicationType of types) {
    for (const uri of ["https://app.example.com", "https://app.example.com/", "https://app.example.com/cb?x=1&y=%2F"]) {
      assert.ok(matches({ applicationType, redirectUris: [uri] }, uri), `${applicationType} ${uri}`);
    }
    assert.ok(!matches({ applicationType, redirectUris: ["https://app.example.com"] }, "https://app.example.com/"));
  }
});

test("no hostile variant of a registered URI is accepted (RFC 9700 §2.1)", () => {
  let count = 0;
  for (const applicationType of types) {
    for (const isDevelopmentMode of [false, true]) {
      for (const hostile of hostileUrls()) {
        const given = {
          applicationType,
          isDevelopmentMode,
          redirectUris: ["https://app.example.com/callback"],
          postLogoutRedirectUris: ["https://app.example.com/callback"],
        };
        assert.equal(matchRedirectUri(configure(given), hostile), undefined, JSON.stringify(hostile));
        assert.equal(
          matchPostLogoutRedirectUri({ ...configure(given), isActive: true }, hostile),
          undefined,
          JSON.stringify(hostile),
        );
        count++;
      }
    }
  }
  assert.ok(count > 500);
});

test("a script URI is not accepted even when it stands in the configuration", () => {
  for (const uri of scriptUrls) {
    for (const applicationType of types) {
      const given = { applicationType, redirectUris: [uri], postLogoutRedirectUris: [uri], isDevelopmentMode: true };
      assert.ok(!matches(given, uri), uri);
      assert.equal(matchPostLogoutRedirectUri({ ...configure(given), isActive: true }, uri), undefined, uri);
    }
  }
});

test("browsers read accepted URIs exactly as they were written", () => {
  const redirectUris = ["https://app.example.com/callback", "http://localhost/callback", "com.example.app:/callback"];
  const wild = ["http", "https", "com.example.app"].flatMap((scheme) =>
    ["app.example.com", "localhost", "127.0.0.1", "[::1]"].flatMap((host) => hostileUrls(scheme, host)),
  );
  for (const uri of [...redirectUris, ...wild]) {
    const accepted = matchRedirectUri(configure({ applicationType: "native", redirectUris }), uri);
    if (accepted === undefined) continue;
    const { href, username, hash, hostname } = new URL(accepted);
    assert.equal(href, uri);
    assert.equal(username + hash, "");
    assert.ok(["app.example.com", "localhost", ""].includes(hostname), uri);
  }
});

const http = "http://app.example.com/callback";
const custom = "com.example.app:/callback";

test("http is for web applications with the code on the machine itself, or for development", () => {
  const redirectUris = [http];
  const machine = "http://localhost:3000/callback";
  assert.ok(matches({ applicationType: "web", redirectUris: [machine] }, machine, "code"));
  assert.ok(!matches({ applicationType: "web", redirectUris: [machine] }, machine, "id_token"));
  assert.ok(!matches({ applicationType: "web", redirectUris }, http, "code"), "not over a network");
  assert.ok(!matches({ applicationType: "web", redirectUris }, http, "id_token"));
  assert.ok(!matches({ applicationType: "web", redirectUris }, http, "id_token token"));
  assert.ok(!matches({ applicationType: "user_agent", redirectUris }, http, "code"));
  assert.ok(!matches({ applicationType: "native", redirectUris }, http, "code"));
  for (const applicationType of types) {
    assert.ok(matches({ applicationType, redirectUris, isDevelopmentMode: true }, http, "id_token"), applicationType);
  }
});

test("a scheme of the application's own is for native applications", () => {
  const redirectUris = [custom, "com.example.App://callback", "myapp:callback"];
  for (const uri of redirectUris) {
    assert.ok(matches({ applicationType: "native", redirectUris }, uri), uri);
    for (const isDevelopmentMode of [false, true]) {
      assert.ok(!matches({ applicationType: "web", redirectUris, isDevelopmentMode }, uri), uri);
      assert.ok(!matches({ applicationType: "user_agent", redirectUris, isDevelopmentMode }, uri), uri);
    }
  }
  assert.ok(!matches({ applicationType: "native", redirectUris }, "com.example.app:/other"));
});

test("the port of a loopback URI is free for native applications, and nothing else of it (RFC 8252 §7.3)", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    const registered = [`http://${host}/callback?x=1`];
    for (const port of ["", ":1", ":49152", ":65535"]) {
      const uri = `http://${host}${port}/callback?x=1`;
      const given = { redirectUris: registered, postLogoutRedirectUris: registered };
      assert.ok(matches({ applicationType: "native", ...given }, uri), uri);
      assert.equal(
        matchPostLogoutRedirectUri({ ...configure({ applicationType: "native", ...given }), isActive: true }, uri),
        uri,
      );
      if (port === "") continue;
      for (const applicationType of ["web", "user_agent"] as const) {
        assert.ok(!matches({ applicationType, ...given }, uri), `${applicationType} ${uri}`);
        assert.equal(
          matchPostLogoutRedirectUri({ ...configure({ applicationType, ...given }), isActive: true }, uri),
          undefined,
        );
      }
    }
    for (const hostile of [
      `https://${host}:4711/callback?x=1`,
      `http://${host}:4711/callback`,
      `http://${host}:4711/callback?x=2`,
      `http://${host}:4711/callback/?x=1`,
      `http://${host}:4711/callback?x=1#f`,
      `http://x@${host}:4711/callback?x=1`,
      `http://${host}:4711/a/../callback?x=1`,
      `http://${host}:04711/callback?x=1`,
      `http://${host}:/callback?x=1`,
      `http://${host}:4711@evil.example/callback?x=1`,
      `http://${host}.evil.example:4711/callback?x=1`,
    ]) {
      assert.ok(!matches({ applicationType: "native", redirectUris: registered }, hostile), hostile);
    }
  }
  const others = ["http://127.0.0.1:1/cb", "http://[::1]:1/cb", "http://127.0.0.2:1/cb", "http://127.1:1/cb"];
  for (const uri of others) {
    assert.ok(!matches({ applicationType: "native", redirectUris: ["http://localhost/cb"] }, uri), uri);
  }
});

const patterns: readonly (readonly [pattern: string, accepted: readonly string[], refused: readonly string[]])[] = [
  [
    "https://*.example.com/callback",
    ["https://pr-1.example.com/callback", "https://a.b.example.com/callback"],
    [
      "https://example.com/callback",
      "https://evil.example/x.example.com/callback",
      "https://evil.example?.example.com/callback",
      "https://evil.example%3f.example.com/callback",
      "https://evil.example#.example.com/callback",
      "https://x@evil.example.com/callback",
      "https://evil.example\\.example.com/callback",
      "http://pr-1.example.com/callback",
    ],
  ],
  [
    "https://**.example.com/callback",
    ["https://a.example.com/callback"],
    ["https://evil.example/.example.com/callback"],
  ],
  [
    "http://localhost:*/callback",
    ["http://localhost:3000/callback"],
    ["http://localhost/callback", "http://localhost:x@evil.example/callback"],
  ],
  [
    "https://app.example.com/*/callback",
    ["https://app.example.com/de/callback"],
    ["https://app.example.com/a/b/callback"],
  ],
  [
    "https://app.example.com/**/callback",
    ["https://app.example.com/callback", "https://app.example.com/a/b/callback"],
    ["https://app.example.com/a/b/callback2", "https://app.example.com/a?b/callback"],
  ],
  [
    "https://app{1,2}.example.com/cb",
    ["https://app1.example.com/cb", "https://app2.example.com/cb"],
    ["https://app3.example.com/cb"],
  ],
  ["https://app[1-3].example.com/cb", ["https://app2.example.com/cb"], ["https://app4.example.com/cb"]],
  [
    "https://app[!1-3].example.com/cb",
    ["https://app4.example.com/cb"],
    ["https://app1.example.com/cb", "https://app/.example.com/cb"],
  ],
  ["https://app.example.com/cb?x=*", ["https://app.example.com/cb?x=1"], ["https://app.example.com/cb?x=a/b"]],
];

test("in development mode redirect URIs may be patterns, whose wildcards stay in their part of the URI", () => {
  for (const [pattern, accepted, refused] of patterns) {
    for (const uri of accepted) {
      const given = { redirectUris: [pattern], postLogoutRedirectUris: [pattern], isDevelopmentMode: true };
      assert.ok(matches(given, uri), `${pattern} ${uri}`);
      assert.equal(matchPostLogoutRedirectUri({ ...configure(given), isActive: true }, uri), uri);
      assert.ok(!matches({ ...given, isDevelopmentMode: false }, uri), `${pattern} outside development mode`);
    }
    for (const uri of refused) {
      assert.ok(!matches({ redirectUris: [pattern], isDevelopmentMode: true }, uri), `${pattern} ${uri}`);
    }
  }
});

test("the scheme of a pattern is literal, so that no pattern leads to a script", () => {
  for (const pattern of [
    "*",
    "**",
    "*:*",
    "*://*",
    "j*:**",
    "{https,javascript}:**",
    "[a-z]*:**",
    "?ttps://app.example.com/",
  ]) {
    for (const uri of ["javascript:alert(1)", "https://app.example.com/", "data:,x"]) {
      assert.ok(
        !matches({ redirectUris: [pattern], isDevelopmentMode: true, applicationType: "native" }, uri),
        `${pattern} ${uri}`,
      );
    }
  }
});

test("no pattern makes matching slow", () => {
  const uri = `https://a.example/${"a".repeat(2000)}`;
  const many = (part: string, times: number) => `https://a.example/${part.repeat(times)}!`;
  for (const redirectUris of [
    [`https://${"*a".repeat(90)}b/`, `https://a.example/${"*".repeat(1900)}`],
    [many("**", 1000)],
    [many("{,}", 4) + many("**a", 600)],
    [many("**aaaaaaaa[a-b]", 50), many("**a?", 50)],
    Array.from({ length: 500 }, (_, index) => `${many("**a", 100)}${index}`),
  ]) {
    const started = performance.now();
    assert.ok(!matches({ redirectUris, isDevelopmentMode: true }, `${uri}?`), String(redirectUris[0]));
    assert.ok(performance.now() - started < 500, String(redirectUris[0]));
  }
});

test("a pattern with the most wildcards is followed, and one beyond them matches nothing, though it is stored", () => {
  const uri = `https://a.example/${"ab".repeat(120)}`;
  const of = (times: number) => `https://a.example/${"*b".repeat(times)}`;
  assert.ok(matches({ redirectUris: [of(100)], isDevelopmentMode: true }, uri));
  assert.ok(!matches({ redirectUris: [of(101)], isDevelopmentMode: true }, uri));
  assert.ok(!matches({ redirectUris: [of(101).replace("*", "x"), of(101)], isDevelopmentMode: true }, uri));
  assert.ok(matches({ redirectUris: [of(101), of(1), uri], isDevelopmentMode: true }, uri), "the others count");
});

test("adjacent runs are merged, and the longer one counts", () => {
  for (const pattern of ["https://a.example/***", "https://a.example/****b", "https://a.example/**?*b"]) {
    assert.ok(matches({ redirectUris: [pattern], isDevelopmentMode: true }, "https://a.example/x/ab"), pattern);
  }
  assert.ok(!matches({ redirectUris: ["https://a.example/*?*b"], isDevelopmentMode: true }, "https://a.example/x/ab"));
});
