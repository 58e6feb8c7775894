import assert from "node:assert/strict";
import { test } from "node:test";
import { returnPage } from "../../src/cli/sign-in/return-page.ts";
import { addPerson, appoint, defaultOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { signedIn } from "./support/sign-in.ts";

const forDevelopers = [/href="\/docs"/, /id="connect"/, /openid-configuration/];

serversInTurn((start, test) => {
  test("the start page offers users a sign-in and their account, and what developers need only to administrators", async (t) => {
    const server = await start(t, { config: { mode: "start" } });
    const ada = await addPerson(server, { username: "ada" });
    const grace = await addPerson(server, { username: "grace" });
    await appoint(server, grace, { organizationId: await defaultOrganization(server) }, ["ORG_USER_MANAGER"]);
    const shown = async (browser: TestBrowser) => (await browser.open("/")).html;

    const stranger = await shown(new TestBrowser(server));
    const user = await shown(await signedIn(server, ada));
    const administrator = await shown(await signedIn(server, grace));
    assert.match(stranger, /<a class="button primary" href="\/ui\/login">/);
    assert.match(user, /href="\/ui\/account/);
    for (const link of forDevelopers) {
      assert.doesNotMatch(stranger, link);
      assert.doesNotMatch(user, link);
      assert.match(administrator, link);
    }
  });

  test("before there is an administrator, the start page says what to do instead of asking who signs in (U9)", async (t) => {
    const server = await start(t, { config: { mode: "start" } });
    const before = (await new TestBrowser(server).open("/")).html;
    assert.match(before, /There is no administrator yet\. Open the link that the server printed/);
    assert.doesNotMatch(before, /href="\/ui\/login"/);
    await addPerson(server, { username: "ada" });
    const after = (await new TestBrowser(server).open("/")).html;
    assert.doesNotMatch(after, /There is no administrator yet/);
    assert.match(after, /href="\/ui\/login"/);
  });

  test("in development, everyone finds what developers need", async (t) => {
    const { html } = await new TestBrowser(await start(t)).open("/");
    for (const link of forDevelopers) assert.match(html, link);
  });
});

test("a sign-in of the command line ends on a page that says what came of it", () => {
  const pages = (["signed_in", "refused", "unexpected"] as const).map(returnPage);
  assert.deepEqual(
    pages.map((page) => /<h1>(.*)<\/h1>/.exec(page)?.[1]),
    ["You are signed in", "You are not signed in", "There is nothing here"],
  );
  for (const page of pages) assert.match(page, /<svg class="wordmark"/);
});
