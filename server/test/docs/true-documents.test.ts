import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { domainModules, layers } from "../../../tools/dependency/layers.ts";
import { checkCommands } from "../../../tools/docs/true/check-commands.ts";
import { checkComments, checkPages, readDocuments } from "../../../tools/docs/true/check-documents.ts";
import { checkEvents, checkIdentifiers, wordsOf } from "../../../tools/docs/true/check-names.ts";
import { checkRoutes } from "../../../tools/docs/true/check-routes.ts";
import { checkSettings } from "../../../tools/docs/true/check-settings.ts";
import { exceptions } from "../../../tools/docs/true/exceptions.ts";
import { readScripts, toKnownCommand } from "../../../tools/docs/true/known-commands.ts";
import type { Untruth } from "../../../tools/docs/true/page.ts";
import { createProgram } from "../../src/cli/program.ts";
import { findUnknownVariables, type Setting, settingNames, settings } from "../../src/config/index.ts";
import { eventTypes } from "../../src/event/names.ts";
import { startServer } from "../support/servers/server.ts";

// Each check, with what it must find and what it must not, is in tools/docs/true and tools/test/true-documents.test.ts.
const root = resolve(import.meta.dirname, "../../..");
const documents = readDocuments(root);
const pages = [...documents.pages.values()];

function assertNone(untruths: readonly Untruth[]): void {
  assert.deepEqual(
    untruths.map(({ path, line, text, message }) => `${path}:${line} ${text}: ${message}`),
    [],
  );
}

test("every link, file and folder that a page names exists", () => {
  assert.ok(pages.length > 80, `only ${pages.length} pages were read`);
  assertNone(checkPages(documents));
});

test("every file and folder that a comment names exists", () => {
  assert.ok(documents.sources.size > 1000, `only ${documents.sources.size} files were read`);
  assertNone(checkComments(documents));
});

test("every exception from that is about a file that is there", () => {
  for (const { in: file } of exceptions) if (file !== undefined) assert.ok(documents.files.has(file), file);
});

test("every command that a page names can be run: npm scripts, commands and flags of doorward", () => {
  const doorward = toKnownCommand(createProgram());
  const scriptsIn = (folder: string) => readScripts(root, documents.files, folder);
  assertNone(pages.flatMap((page) => checkCommands(page, { doorward, scriptsIn })));
});

test("every DOORWARD_ variable that a page names is read by something", () => {
  const ofTests = [...documents.sources].flatMap(([path, text]) =>
    path.startsWith("server/src/")
      ? []
      : Array.from(text.matchAll(/\benv\["(DOORWARD_\w+)"\]/g), ([, name = ""]) => name),
  );
  const ofServer = settingNames.map((name): Setting => settings[name]);
  const named = pages.flatMap(({ text }) => text.match(/\bDOORWARD_\w+/g) ?? []);
  const unknown = new Set(findUnknownVariables(Object.fromEntries(named.map((name) => [name, ""]))));
  const known = [
    ...ofTests,
    ...ofServer.map(({ environment }) => environment),
    ...named.filter((name) => !unknown.has(name)),
  ];
  assertNone(pages.flatMap((page) => checkSettings(page, new Set(known))));
});

test("every route that a page names is one of the server", async (t) => {
  const { app } = await startServer(t);
  assertNone(pages.flatMap((page) => checkRoutes(page, app.routes)));
});

test("every function, type and column that a page about the code names is in a source", () => {
  const ofCode = pages.filter(({ path }) =>
    /^(?:ARCHITECTURE|AGENTS)\.md$|^(?:server|tools|bench|examples)\//.test(path),
  );
  assert.ok(ofCode.length > 60, `only ${ofCode.length} pages are about the code`);
  const words = wordsOf(documents.sources.values());
  assertNone(ofCode.flatMap((page) => checkIdentifiers(page, words)));
});

test("every event that a page names is recorded", () => {
  assertNone(pages.flatMap((page) => checkEvents(page, eventTypes)));
});

test("ARCHITECTURE.md and AGENTS.md have the layers and the modules of the domain in their order", () => {
  const orderIn = (path: string, first: string): string[] => {
    const text = documents.pages.get(path)?.text ?? "";
    return (
      text
        .slice(text.indexOf(`${first} →`))
        .split("`")[0]
        ?.trim()
        .split(/\s*→\s*/) ?? []
    );
  };
  // app.ts and main.ts are the ends of app and of the order.
  const layerNames = layers.filter((layer) => layer !== "app.ts").map((layer) => layer.replace(".ts", ""));
  assert.deepEqual(orderIn("ARCHITECTURE.md", "base"), layerNames);
  assert.deepEqual(orderIn("AGENTS.md", "base"), layerNames);
  assert.deepEqual(orderIn("ARCHITECTURE.md", "instance"), [...domainModules]);
});
