import assert from "node:assert/strict";
import { goals } from "../../src/pages/login/flow/goals.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, signedIn } from "./support/sign-in.ts";

serversInTurn((start, test, both) => {
  test("a login for a page of ours leads there, with the session", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    for (const [name, { path }] of Object.entries(goals)) {
      const browser = new TestBrowser(server);
      await enter({ browser, page: await browser.open(`/ui/login?goal=${name}`) }, ada);
      // A page may lead on from there, when the settings do not allow what it is for.
      assert.match(browser.redirects[0] ?? "", new RegExp(`^${path}\\?session=\\d+$`), name);
    }
  });

  both("a signed-in user goes there at once, unless the authentication is too old for it", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    assert.match((await browser.open("/ui/login?goal=account-methods")).address, /^\/ui\/account\/methods/);
    server.clock.now += goals["account-methods"].maxAge + 1;
    assert.match((await browser.open("/ui/login?goal=account")).address, /^\/ui\/account$/);
    const page = await browser.open("/ui/login?goal=account-methods");
    assert.match(page.title, /^Sign in/);
    assert.match((await enter({ browser, page }, ada)).address, /^\/ui\/account\/methods\?session=/);
  });

  test("an unknown goal is ignored", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    for (const name of ["https://evil.example", "//evil.example", "toString", "__proto__", ""]) {
      const browser = new TestBrowser(server);
      const page = await browser.open(`/ui/login?goal=${encodeURIComponent(name)}`);
      assert.equal((await enter({ browser, page }, ada)).address, "/ui/login/signed-in", name);
    }
  });
});
