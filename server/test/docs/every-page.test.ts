import assert from "node:assert/strict";
import { test } from "node:test";
import { guides } from "../../src/pages/docs/guides/guides.ts";
import { createTexts } from "../../src/text/index.ts";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

const voidElements = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "wbr",
]);

/** Returns what is wrong with a document: tags without their ends, ids that are there twice, raw characters. */
function faultsIn(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const withoutDrawings = html.replace(/<svg [\s\S]*?<\/svg>/g, "").replace("<!doctype html>", "");
  const rest = withoutDrawings.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g,
    (_tag, end, name: string) => {
      if (end === "/") {
        const last = open.pop();
        if (last !== name) faults.push(`</${name}> ends <${last}>`);
      } else if (!voidElements.has(name)) open.push(name);
      return "";
    },
  );
  if (open.length > 0) faults.push(`never ended: ${open.join()}`);
  const raw = /.{0,40}[<>].{0,40}/.exec(rest);
  if (raw) faults.push(`not escaped: ${raw[0]}`);
  const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
  if (new Set(ids).size < ids.length) faults.push("an id is there twice");
  return faults;
}

test("every page of the reference is there, is well formed, and leads only to what is there", async (t) => {
  const server = await startServer(t);
  const texts = createTexts();
  const open = async (path: string): Promise<string | undefined> => {
    const response = await fetch(server.origin + path, { redirect: "manual" });
    return response.status === 200 ? response.text() : undefined;
  };
  const wanted = [...server.app.methods.keys()].map((name) => `/docs/${name}`);
  const seen = new Set(["/docs", ...wanted]);
  const faults: string[] = [];
  const anchors = new Map<string, Set<string>>();
  for (const path of seen) {
    if (/^\/(?:ui|oauth|$)/.test(path)) continue;
    const page = await open(path);
    if (page === undefined) {
      faults.push(`${path}: not there`);
      continue;
    }
    if (!page.startsWith("<!doctype html>")) continue;
    faults.push(...faultsIn(page).map((fault) => `${path}: ${fault}`));
    anchors.set(path, new Set(Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id = ""]) => id)));
    for (const [, address = ""] of page.matchAll(/ href="([^"]*)"/g)) {
      const [target = "", anchor] = address.split("#");
      if (target !== "") seen.add(target.split("?", 1)[0] ?? "");
      if (anchor !== undefined && target === "" && anchors.get(path)?.has(anchor) !== true) {
        faults.push(`${path}: leads to #${anchor}`);
      }
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(seen.size > wanted.length + guides.length, `${seen.size} pages`);

  await t.test("each error of a method has its sentence", async () => {
    const [method = ""] = wanted.filter((path) => path.endsWith("UserService/CreateUser"));
    const ids = Array.from(
      ((await open(method)) ?? "").matchAll(/<dt><code>([a-z_]+\.[a-z_.]+)<\/code>/g),
      ([, id = ""]) => id,
    );
    assert.ok(ids.includes("user.username_taken"), ids.join());
    for (const id of ids) assert.notEqual(texts.pattern("en", `fault.${id}`), `fault.${id}`);
  });
});
