import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases.ts";
import { isLong } from "../support/random.ts";
import { makeEstate } from "./support/estate.ts";
import { makeHoldings } from "./support/holdings.ts";

/** Everything that is held, in the order of the columns below. */
const held = [
  ...["session", "sign-in", "sign-in here", "password", "opaque", "jwt", "code", "device", "refresh"],
  ...["client", "pat", "secret", "assertion", "its token"],
];

/** What dies with what: `x` is refused from the answer on, `.` stays as good as it was. */
const grid: Readonly<Record<string, string>> = {
  //                                      s s h p o j c d r   c p s a t
  nothing: /*                          */ ". . . . . . . . .   . . . . .",
  "its user is deactivated": /*        */ "x x x x x x x x x   . . . . .",
  "its user is locked": /*             */ "x x x x x x x x x   . . . . .",
  "its user is deleted": /*            */ "x x x x x x x x x   . . . . .",
  "its organization is deactivated": /**/ "x x x x x x x x x   x x x x x",
  "its organization is deleted": /*    */ "x x x x x x x x x   x x x x x",
  "its session is ended": /*           */ "x x x . x x x x x   . . . . .",
  "its password is changed": /*        */ "x x x x x x x x x   . . . . .",
  "its application is deactivated": /* */ ". . x . x . x . x   x . . . .",
  "its application is deleted": /*     */ ". . x . x . x . x   x . . . .",
  "its project is deactivated": /*     */ ". . x . x x x . x   x . . . .",
  "its project is deleted": /*         */ ". . x . x x x . x   x . . . .",
  "its client secret is made anew": /* */ ". . . . . . x . x   x . . . .",
  "its access token is revoked": /*    */ ". . . . x . . . .   . . . . .",
  "its refresh token is revoked": /*   */ ". . . . x . . . x   . . . . .",
  "the service account is deactivated": /**/ ". . . . . . . . .   . x x x x",
  "the service account is locked": /*  */ ". . . . . . . . .   . x x x x",
  "the service account is deleted": /* */ ". . . . . . . . .   . x x x x",
  "its personal access token is removed": /**/ ". . . . . . . . .   . x . . .",
  "its secret is removed": /*          */ ". . . . . . . . .   . . x . .",
  "its key is removed": /*             */ ". . . . . . . . .   . . . x .",
};

eachEngine((_open, engine) => {
  test("what ends takes everything along that rests on it, and nothing else", async (t) => {
    const estate = await makeEstate(t, engine);
    const { good, endings } = await makeHoldings(estate);
    assert.deepEqual(Object.keys(endings).toSorted(), Object.keys(grid).toSorted());
    assert.deepEqual(Object.keys(good).toSorted(), held.toSorted());
    const rows = Object.entries(grid);
    // The short version takes every fifth, the other engine others.
    const first = engine === "sqlite" ? 1 : 3;
    const asked = isLong() ? rows : rows.filter((_row, index) => index % 5 === first);
    const found: Record<string, string> = {};
    for (const [ending] of asked) {
      const holdings = await makeHoldings(estate);
      await holdings.endings[ending]?.();
      const verdicts = new Map<string, string>();
      for (const [name, isGood] of Object.entries(holdings.good)) {
        verdicts.set(name, (await isGood()) ? "." : "x");
      }
      found[ending] = held.map((name) => verdicts.get(name)).join("");
    }
    assert.deepEqual(found, Object.fromEntries(asked.map(([ending, marks]) => [ending, marks.replaceAll(" ", "")])));
  });
});
