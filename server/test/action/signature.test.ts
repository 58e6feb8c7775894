import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { signatureHeaders } from "../../src/base/payload-signature.ts";
import { Secret } from "../../src/base/secret.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/actions.md"), "utf8");
const now = 1_800_000_000_000;
const body = '{"fullMethod":"/service.user.v2.UserService/CreateUser","name":"Zoë"}';

const sign = (text: string): string =>
  signatureHeaders(["service"], { key: new Secret("key"), body: text, now })["service-signature"] ?? "";

test("the signature of a body is HMAC-SHA256 over time and body", () => {
  // Computed with: printf '1800000000.{}' | openssl dgst -sha256 -hmac key
  assert.equal(sign("{}"), "t=1800000000,v1=7321475872b03ff21bdc2dfd86ea2d99ec29c479fbe4a77aa6acf4509505493f");
});

test("the example of docs/actions.md takes what is genuine and nothing else", async () => {
  const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
    isGenuine(header: string | undefined, rawBody: string, signingKey: string, now?: number): boolean;
  };
  const header = sign(body);
  assert.equal(isGenuine(header, body, "key", now + 299_000), true);
  const wrong: readonly [what: string, header: string | undefined, body: string, key: string, at: number][] = [
    ["another body", header, `${body} `, "key", now],
    ["another key", header, body, "other", now],
    ["too old", header, body, "key", now + 301_000],
    ["from the future", header, body, "key", now - 301_000],
    ["another time", header.replace(/^t=\d+/, "t=1800000001"), body, "key", now],
    ["no header", undefined, body, "key", now],
    ["another form", header.toUpperCase(), body, "key", now],
    ["a second signature", `${header},v1=${"0".repeat(64)}`, body, "key", now],
  ];
  for (const [what, given, sent, key, at] of wrong) assert.equal(isGenuine(given, sent, key, at), false, what);
});
