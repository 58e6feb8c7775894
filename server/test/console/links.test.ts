import assert from "node:assert/strict";
import { test } from "node:test";
import { addPerson, appoint } from "../support/people/people.ts";
import { makeDirectory } from "../support/servers/console-build.ts";
import { startServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { signedInBrowser, startConsole } from "./support.ts";

const link = /href="\/ui\/console\/"/;

test("administrators find the console on the start page and after signing in; others do not", async (t) => {
  const server = await startConsole(t);
  const administrator = await addPerson(server, { username: "grace" });
  await appoint(server, administrator, { organizationId: server.organizationId }, ["ORG_USER_MANAGER"]);
  const pages = ["/", "/ui/login/signed-in"];
  for (const path of pages) {
    const shown = async (browser: TestBrowser) => link.test((await browser.open(path)).html);
    assert.equal(await shown(await signedInBrowser(server, administrator)), true, path);
    assert.equal(await shown(await signedInBrowser(server)), false, path);
    assert.equal(await shown(new TestBrowser(server)), false, path);
  }
  const unbuilt = await startServer(t, { consoleDirectory: makeDirectory(t) });
  assert.equal(link.test((await new TestBrowser(unbuilt).open("/")).html), false);
});
