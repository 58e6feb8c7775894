import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTarget } from "../../../src/base/outbound/index.ts";

test("a target is an http or https URL that every parser reads in the same way", () => {
  const good = [
    "https://hooks.example",
    "https://hooks.example/",
    "https://hooks.example:8443/a/b?c=d&e=%2F",
    "https://[::1]/",
    "http://127.0.0.1:80/x",
    "HTTPS://Hooks.Example:443/",
    "https://a_b.example/~x",
    "https://hooks.example?x=1",
  ];
  for (const text of good) assert.ok(parseTarget(text) !== undefined, text);
  const bad = [
    "",
    "hooks.example",
    "//hooks.example",
    "https:hooks.example",
    "https:/hooks.example",
    "https:///x",
    "https://",
    "ftp://a.example",
    "file:///etc/passwd",
    "gopher://a.example:70/_x",
    "unix:///run/x.sock",
    "ws://a.example",
    "http+unix://%2frun%2fx.sock/",
    "dict://a.example:11211/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "https://user@a.example",
    "https://user:p@a.example/",
    "https://@a.example/",
    "https://a.example#x",
    "https://a.example\\@b.example/",
    "https://a.example/\\b",
    "https://a.example /",
    " https://a.example/",
    "https://a.example/\r\nHost: b",
    "https://a.example/\n",
    "https://a.example/\0",
    "https://a.\texample/",
    "https://0x7f.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://127.0.0.1.nip。io/",
    "https://а.example/",
    "https://a%2eexample/",
    "https://a.example:0/",
    "https://a.example:65536/",
    "https://a.example:x/",
    "https://[::1%25eth0]/",
    "https://[::ffff:127.0.0.1/",
    "https://a.example/%zz",
    `https://a.example/${"a".repeat(2048)}`,
  ];
  for (const text of bad) assert.equal(parseTarget(text), undefined, JSON.stringify(text));
});
