import assert from "node:assert/strict";
import { test } from "node:test";
import { describeDevice } from "../../src/domain/sign-in-attempt/index.ts";

const agents: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0",
    "Edge",
    "Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    "Safari",
    "macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
    "Chrome",
    "iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet",
    "Android",
  ],
  ["curl/8.5.0", undefined, undefined],
  ["<script>alert(1)</script>", undefined, undefined],
];

test("a browser is described by words of ours, whatever it says", () => {
  for (const [agent, browser, system] of agents) {
    const device = describeDevice({ header: { "User-Agent": [agent] } });
    assert.deepEqual([device.browser, device.system], [browser, system], agent);
  }
  assert.equal(describeDevice({}).description, undefined);
  assert.equal(describeDevice({ description: "x".repeat(1000) }).description?.length, 100);
});
