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

test("each part of an address is compared with the same part of the other", () => {
  const registered = "http://localhost:5173/callback";
  assert.equal(marked("http://localhost:3000/callback", registered), "http://localhost:<mark>3000</mark>/callback");
  assert.equal(marked("http://localhost/callback", registered), "http://localhost/callback");
  assert.equal(marked(registered, "http://localhost/callback"), "http://localhost<mark>:5173</mark>/callback");
  assert.equal(marked("http://shop.example/a", "https://shop.example/ab"), "http://shop.example/a");
  assert.equal(
    marked("https://a.example/cb", "https://b.example/ca"),
    "https://<mark>a</mark>.example/c<mark>b</mark>",
  );
  assert.equal(marked("https://a/cb?x=1", "https://a/cb"), "https://a/cb<mark>?x=1</mark>");
  assert.equal(marked("http://[::1]:3000/cb", "http://[::1]:3001/cb"), "http://[::1]:300<mark>0</mark>/cb");
  assert.equal(marked("com.example.app:/cb", "com.example.app:/cd"), "com.example.app:/c<mark>b</mark>");
});

test("the registered address that is nearest is compared", () => {
  assert.equal(closest("http://a/cb/", ["https://b/x", "http://a/cb", "http://a/"]), "http://a/cb");
  assert.equal(closest("http://a/", []), undefined);
});
