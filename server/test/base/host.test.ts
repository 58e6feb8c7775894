import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDomain, parseHost } from "../../src/base/names/host.ts";

test("hosts have one form: lower case, Punycode, no port, no trailing dot", () => {
  const same = ["id.example.com", "ID.Example.COM", "id.example.com:8080", "id.example.com.", "id。example。com"];
  for (const text of same) assert.equal(parseHost(text), "id.example.com", text);
  assert.equal(parseHost("bücher.example"), "xn--bcher-kva.example");
  assert.equal(parseHost("localhost:8080"), "localhost");
  assert.equal(parseHost("[::1]:8080"), "[::1]");
  assert.equal(parseHost("127.0.0.1"), "127.0.0.1");
});

test("an invalid host is refused, even if a URL parser would accept it", () => {
  const wrong = [
    "",
    " ",
    ".",
    "..",
    "a..b",
    "-a.example",
    "a-.example",
    "a b.example",
    "a.example/path",
    "user@a.example",
    "a.example?x",
    "a.example#x",
    "a.example\\b",
    "a%2eexample",
    "a.example:99999",
    "a.example:80:80",
    "[::1",
    "*.example",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(130)}example`,
    "a.example\u0000",
    "a.example\n",
  ];
  for (const text of wrong) assert.equal(parseHost(text), undefined, JSON.stringify(text));
});

test("a domain is a host that is not an IP address and has no port", () => {
  assert.equal(parseDomain(" Acme.Example "), "acme.example");
  for (const text of ["127.0.0.1", "[::1]", "acme.example:80", "0x7f.1"])
    assert.equal(parseDomain(text), undefined, text);
});
