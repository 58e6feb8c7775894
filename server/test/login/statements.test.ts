import assert from "node:assert/strict";
import { test } from "node:test";
import { countStatements } from "../support/databases/counted-statements.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { visit } from "./support/sign-in.ts";

/**
 * A name that is entered, the parameters of the request, and the statements that the form and the page after it take.
 */
interface Case {
  readonly known: string;
  readonly unknown: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly statements: number;
}

eachServer((start) => {
  test("a name and the page after it take few statements, the same whether or not it is known (S6)", async (t) => {
    const server = await start(t);
    await addPerson(server, { username: "ada" });
    const acme = await addOrganization(server, "Acme");
    await addPerson(server, { username: "bob", organizationId: acme });
    // Settings of its own, so that more than those of the instance are asked.
    await changeSettings(server, "login", { allowRegister: false, hidePasswordReset: true }, acme);
    const client = await addClient(server);
    const counted = countStatements(server.app.domain.database);
    const scope = { scope: `openid urn:zitadel:iam:org:id:${acme}` };
    const cases: Readonly<Record<string, Case>> = {
      "a login name": { known: "ada@doorward.localhost", unknown: "eve@doorward.localhost", statements: 7 },
      "an address": { known: "ada@mail.example", unknown: "eve@mail.example", statements: 7 },
      "a name without a domain": { known: "ada", unknown: "eve", statements: 7 },
      "an organization by its domain": { known: "bob@acme.localhost", unknown: "eve@acme.localhost", statements: 8 },
      "an organization by the request": { known: "bob", unknown: "eve", parameters: scope, statements: 7 },
    };
    const enter = async (loginName: string, parameters: Case["parameters"]): Promise<string[]> => {
      const { browser, page } = await visit(server, client, parameters);
      return counted.during(async () => {
        const next = await browser.submit(page, { login_name: loginName });
        assert.match(next.address, /^\/ui\/login\/password\?/, next.html);
      });
    };
    for (const [what, { known, unknown, parameters, statements }] of Object.entries(cases)) {
      // What is kept in memory is there from the second time on.
      for (const name of [known, unknown]) await enter(name, parameters);
      const sent = await enter(known, parameters);
      assert.deepEqual(sent, await enter(unknown, parameters), what);
      assert.equal(sent.length, statements, `${what}:\n${sent.join("\n")}`);
    }

    await changeSettings(server, "login", { ignoreUnknownUsernames: false });
    await enter("ada", undefined);
    const told = await enter("ada", undefined);
    assert.equal(told.length, 7, `where names are told:\n${told.join("\n")}`);
  });
});
