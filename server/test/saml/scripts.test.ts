import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptsOf } from "../script/support/scripts.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { decodeResponse, nodeSaml, postedBy, register, signInAt, startNow, statusesOf } from "./support.ts";

const preSamlResponse = ["4", "6"] as const;

async function answer(server: TestServer, person: Person) {
  const { entityId } = await register(server);
  const sp = await nodeSaml(server, entityId);
  const { page } = await signInAt(server, await sp.getAuthorizeUrlAsync("", undefined, {}), person);
  const { fields } = postedBy(page);
  return { sp, fields };
}

eachServer((start) => {
  test("scripts of the user's organization add attributes to a SAML response, and replace none", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    await scriptsOf(server).run(
      preSamlResponse,
      "roles",
      `function roles(ctx, api) {
        api.v1.attributes.setCustomAttribute("Team", "", "<red>", "blue");
        api.v1.attributes.setCustomAttribute("UserID", "", "another user");
      }`,
    );
    const { sp, fields } = await answer(server, ada);
    const { profile } = await sp.validatePostResponseAsync(fields);
    assert.deepEqual(profile?.["Team"], ["<red>", "blue"]);
    assert.equal(profile?.["UserID"], ada.userId);
  });

  test("a script that fails and may not ends in an error for the service provider", async (t) => {
    const server = await startNow(start, t);
    const ada = await addPerson(server, { username: "ada" });
    await scriptsOf(server).run(preSamlResponse, "failing", "function failing() { throw new Error('no'); }");
    const { sp, fields } = await answer(server, ada);
    assert.equal(statusesOf(decodeResponse(fields))[0], "Responder");
    await assert.rejects(sp.validatePostResponseAsync(fields));
  });
});
