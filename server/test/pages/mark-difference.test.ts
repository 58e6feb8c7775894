import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "../../src/html/index.ts";
import { closest, markDifference } from "../../src/pages/parts/mark-difference.ts";

const marked = (text: string, other: string): string => render(markDifference(text, other));

test("what two addresses do not share is marked", () => {
  assert.equal(marked("https://a/cb", "http://a/cb"), "http<mark>s</mark>://a/cb");
  assert.equal(marked("http://a/cb", "https://a/cb"), "http://a/cb");
  assert.equal(marked("http://a/cb/", "http://a/cb"), "http://a/cb<mark>/</mark>");
  assert.equal(marked("http://a:1/x", "http://a:2/x"), "http://a:<mark>1</mark>/x");
  assert.equal(marked("same", "same"), "same");
  assert.equal(marked("", "x"), "");
  assert.equal(marked("aa", "a"), "a<mark>a</mark>");
});

test("the registered address that is nearest is compared", () => {
  assert.equal(closest("http://a/cb/", ["https://b/x", "http://a/cb", "http://a/"]), "http://a/cb");
  assert.equal(closest("http://a/", []), undefined);
});
