import assert from "node:assert/strict";
import { enter, visit } from "../login/support/sign-in.ts";
import { countStatements } from "../support/databases/counted-statements.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient, type SignInClient } from "../support/sign-in/sign-in-client.ts";

// More than the budget of failures of one name, and of one source.
const many = 110;

async function recorded(server: TestServer, { userId }: Person) {
  const filters = [{ userIdFilter: { id: userId } }];
  const { body } = await server.rest("POST", "/v2/sign_in_attempts/search", {
    body: { filters, pagination: { limit: 500 } },
  });
  const attempts: { steps: { check: string; outcome: string }[] }[] = body.attempts ?? [];
  return attempts.map(({ steps }) =>
    steps.map(({ check, outcome }) => `${check} ${outcome}`.toLowerCase().replaceAll(/sign_in_[a-z]+?_/g, "")),
  );
}

const back = "/ui/login/return";

async function nameAndReturn(server: TestServer, client: SignInClient, loginName: string) {
  const { browser, page } = await visit(server, client);
  const asked = await browser.submit(page, { login_name: loginName });
  const returned = await browser.submit(asked, {}, { action: back });
  assert.match(returned.address, /error=access_denied/);
}

serversInTurn((start, test, both) => {
  both("going back with a name that was only entered leaves nothing, and hides no former guess", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    await nameAndReturn(server, client, ada.loginName);
    assert.deepEqual(await recorded(server, ada), []);
    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: ada.loginName });
    const wrong = await browser.submit(asked, { password: "wrong" });
    await browser.submit(wrong, {}, { action: back });
    assert.deepEqual(await recorded(server, ada), [["name passed", "password wrong"]]);

    const counted = countStatements(server.app.domain.database);
    const statements: number[] = [];
    for (const name of [ada.loginName, "ada-of-nowhere"]) {
      const visitor = await visit(server, client);
      const named = await visitor.browser.submit(visitor.page, { login_name: name });
      const sent = await counted.during(() => visitor.browser.submit(named, {}, { action: back }));
      statements.push(sent.filter((each) => !each.includes("notifications")).length);
    }
    assert.equal(statements[0], statements[1]);
  });

  test("going back after a proof is recorded, within the budgets of failures", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "login", { forceMfa: true });
    const ada = await addPerson(server, { username: "ada" });
    for (let time = 0; time < many; time++) {
      const visitor = await visit(server, client);
      const asked = await enter(visitor, ada);
      assert.match((await visitor.browser.submit(asked, {}, { action: back })).address, /error=access_denied/);
    }
    const canceled = (await recorded(server, ada)).filter((steps) => steps.includes("request canceled"));
    assert.equal(canceled.length, 50, "what one name has");
  });

  test("denying an application is recorded, within the budgets of failures", async (t) => {
    const server = await start(t);
    const client = await addClient(server, { isConsentRequired: true });
    const ada = await addPerson(server, { username: "ada" });
    const visitor = await visit(server, client);
    let page = await enter(visitor, ada);
    for (let time = 0; time < many; time++) {
      assert.match(page.address, /consent/);
      await visitor.browser.submit(page, { decision: "deny" }, { action: "/ui/login/consent" });
      page = await visitor.browser.open(client.start().path);
    }
    const refused = (await recorded(server, ada)).filter((steps) => steps.includes("consent refused"));
    assert.equal(refused.length, 50, "what one name has");
  });
});
