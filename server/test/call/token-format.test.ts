import assert from "node:assert/strict";
import { test } from "node:test";
import { systemRandom } from "../../src/base/random.ts";
import { generateToken, tokenKindOf } from "../../src/call/index.ts";
import type { TokenKind } from "../../src/call/token-format.ts";

// A new kind of token does not compile without its prefix.
const prefixes: Readonly<Record<TokenKind, string>> = {
  accessToken: "dwa_",
  refreshToken: "dwr_",
  authorizationCode: "dwc_",
  personalAccessToken: "dwp_",
  sessionToken: "dws_",
  browserSecret: "dwb_",
  operatorToken: "dwo_",
  deviceCode: "dwd_",
  identityIntent: "dwi_",
  setupLink: "dwl_",
  setupSession: "dwu_",
};

test("every kind of token is recognized by its prefix, and no two kinds have the same one", () => {
  const kinds = Object.keys(prefixes) as TokenKind[];
  assert.equal(new Set(Object.values(prefixes)).size, kinds.length);
  for (const kind of kinds) {
    const token = generateToken(kind, systemRandom).reveal();
    assert.ok(token.startsWith(prefixes[kind]), token);
    assert.equal(tokenKindOf(token), kind);
  }
});

test("a text of another form is a token of no kind", () => {
  const token = generateToken("accessToken", systemRandom).reveal();
  const others = ["", "dwa_", token.slice(0, -1), `${token}A`, ` ${token}`, `dwx_${token.slice(4)}`, `${token}\n`];
  for (const text of [...others, token.toUpperCase(), token.replace(/.$/, "+")]) {
    assert.equal(tokenKindOf(text), undefined, JSON.stringify(text));
  }
});
