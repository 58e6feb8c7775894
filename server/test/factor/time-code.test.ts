import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeBase32 } from "../../src/base/base32.ts";
import { matchTimeStep, timeCode } from "../../src/domain/factor/time-code.ts";
import { appCode } from "../support/sign-in/totp.ts";

const secret = Buffer.from("12345678901234567890");

test("codes are those of RFC 4226 appendix D and RFC 6238 appendix B", () => {
  const counted = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
  for (const [counter, code] of counted.entries()) assert.equal(timeCode(secret, counter), code);
  // The last six digits of the eight that the table has.
  const timed = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
  };
  for (const [second, code] of Object.entries(timed)) {
    assert.equal(timeCode(secret, Math.floor(Number(second) / 30)), code);
    assert.equal(appCode(encodeBase32(secret), Number(second) * 1000), code);
  }
});

test("a code is good for its own half minute and the ones beside it", () => {
  const now = 1_800_000_000_000;
  const current = now / 30_000;
  for (const [steps, matched] of [
    [-2, undefined],
    [-1, current - 1],
    [0, current],
    [1, current + 1],
    [2, undefined],
  ] as const) {
    assert.equal(matchTimeStep(secret, timeCode(secret, current + steps), now), matched);
  }
  for (const code of ["", "12345", "1234567", "abcdef"]) assert.equal(matchTimeStep(secret, code, now), undefined);
});

test("base32 is that of RFC 4648 §10, without padding", () => {
  const vectors = {
    "": "",
    f: "MY",
    fo: "MZXQ",
    foo: "MZXW6",
    foob: "MZXW6YQ",
    fooba: "MZXW6YTB",
    foobar: "MZXW6YTBOI",
  };
  for (const [text, encoded] of Object.entries(vectors)) assert.equal(encodeBase32(Buffer.from(text)), encoded);
});
