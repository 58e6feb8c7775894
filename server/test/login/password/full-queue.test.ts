import assert from "node:assert/strict";
import { test } from "node:test";
import { addOrganization, addPerson } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { encodeForm } from "../../support/sign-in/test-browser.ts";
import { visit } from "../support/sign-in.ts";

const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };

/** A browser at the page of the password; what is returned sends a wrong one. */
async function prepareGuess(server: TestServer, client: SignInClient, name: string): Promise<() => Promise<void>> {
  const { browser, page } = await visit(server, client);
  const asked = await browser.submit(page, { login_name: name }, { action: "/ui/login" });
  const form = asked.forms.find(({ action }) => action.includes("/ui/login/password"));
  assert.ok(form, `${asked.status} ${asked.title}`);
  const body = encodeForm(form, { password: "a wrong guess at it" });
  return async () => {
    const answer = await browser.send(form.action, {
      method: "POST",
      headers: { ...headers, origin: server.origin },
      body,
    });
    await answer.arrayBuffer();
  };
}

serversInTurn((start) => {
  test("a name waits as long in a full queue of password checks whether or not it has a user", async (t) => {
    const server = await start(t, { passwordCost: "usual" });
    const client = await addClient(server);
    const elsewhere = await addOrganization(server, "Bank");
    const { loginName } = await addPerson(server, { username: "person-100" });
    const { loginName: foreign } = await addPerson(server, { username: "person-101", organizationId: elsewhere });
    const suffix = loginName.split("@")[1] ?? "";
    const flood = 36;
    for (let round = 0; round < 2; round++) {
      // What a stranger asks about: names in the default organization, in another one, and of no user.
      const probes = [loginName, foreign, `person-90${round}@${suffix}`];
      const guesses = [];
      for (let index = 0; index < flood; index++) {
        guesses.push(await prepareGuess(server, client, `person-9${round}${index}@${suffix}`));
      }
      const probing = [];
      for (const name of probes) probing.push(await prepareGuess(server, client, name));
      const answered: string[] = [];
      const sent = guesses.map(async (guess) => {
        await guess();
        answered.push("flood");
      });
      // All of the flood waits before the names are asked about.
      while (answered.length < 8) await new Promise((resolve) => setTimeout(resolve, 1));
      const asked = probing.map(async (guess, index) => {
        await guess();
        answered.push(probes[index] ?? "");
      });
      await Promise.all([...sent, ...asked]);
      for (const name of probes) {
        const before = answered.indexOf(name);
        assert.ok(before > flood * 0.6, `round ${round}: ${name} was answered after ${before} of ${answered.join()}`);
      }
    }
  });
});
