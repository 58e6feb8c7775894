import assert from "node:assert/strict";
import { test } from "node:test";
import { parseResourceUri } from "../../src/domain/resource/index.ts";

test("every spelling of a resource's URI has one key, and its path is kept as it was written (RFC 8707 §2)", () => {
  const key = "https://tools.example/mcp/%C3%A9~a";
  for (const spelling of [
    "https://tools.example/mcp/%C3%A9~a",
    "HTTPS://TOOLS.example:443/mcp/%c3%a9%7Ea",
    "https://tools.example/mcp/%C3%A9%7e%61",
  ]) {
    assert.equal(parseResourceUri(spelling)?.key, key, spelling);
    assert.equal(parseResourceUri(spelling)?.uri, key, spelling);
  }
  assert.equal(parseResourceUri("https://tools.example")?.uri, "https://tools.example");
  assert.equal(parseResourceUri("https://tools.example/")?.uri, "https://tools.example/");
  assert.equal(parseResourceUri("https://tools.example")?.key, parseResourceUri("https://TOOLS.example:443/")?.key);
  for (const [one, other] of [
    ["https://tools.example/mcp", "https://tools.example/MCP"],
    ["https://tools.example/mcp", "https://tools.example/mcp/"],
    ["https://tools.example", "https://tools.example:8443"],
    ["https://tools.example", "https://tools.example.evil.example"],
  ] as const) {
    assert.notEqual(parseResourceUri(one)?.key, parseResourceUri(other)?.key, other);
  }
  assert.equal(
    parseResourceUri("https://tools.example/MCP/")?.claimKey,
    parseResourceUri("https://tools.example/mcp")?.claimKey,
  );
});

test("what two readers could take for different addresses is not a resource", () => {
  for (const wrong of [
    "",
    "tools",
    "//tools.example",
    "http://tools.example",
    "https:/tools.example",
    "https:tools.example",
    "https:\\\\tools.example",
    "https://tools.example\\@evil.example",
    "https://user@tools.example",
    "https://user:secret@tools.example",
    "https://@tools.example",
    "https://tools.example./mcp",
    "https://tools.example?tenant=a",
    "https://tools.example/?",
    "https://tools.example/#x",
    "https://tools.example#",
    "https://tools.example/a/../b",
    "https://tools.example/a/%2e%2e/b",
    "https://tools.example/a/./b",
    "https://tools.example/a%2Fb",
    "https://tools.example/a%5cb",
    "https://tools.example/a%00b",
    "https://tools.example//mcp",
    "https://tools.example/mcp//",
    "https://%74ools.example/mcp",
    "https://tools.example:0443/mcp",
    "https://0x7f.1/mcp",
    "https://t\u00f6ols.example",
    "https://tools.example/\u00e9",
    "https://tools.example/a b",
    "https://tools.example/\tb",
    "ftp://tools.example",
    "urn:tools",
    "javascript:alert(1)",
    `https://tools.example/${"x".repeat(2_100)}`,
  ]) {
    assert.equal(parseResourceUri(wrong), undefined, JSON.stringify(wrong));
  }
  assert.equal(parseResourceUri("http://localhost:3000/mcp")?.isLocal, true);
  assert.equal(parseResourceUri("http://127.0.0.1:3000/mcp")?.isLocal, true);
  assert.equal(parseResourceUri("http://localhost.evil.example/mcp"), undefined);
});
