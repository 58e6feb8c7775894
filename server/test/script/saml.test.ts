import assert from "node:assert/strict";
import { test } from "node:test";
import { findUser } from "../../src/domain/user/index.ts";
import { createLatePool, createSamlScripts } from "../../src/extension/script/index.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { scriptsOf } from "./support/scripts.ts";

eachServer((start) => {
  test("scripts set attributes of a SAML response, once each, and only where their word counts", async (t) => {
    const server = await start(t);
    const { domain } = server.app;
    const scripts = scriptsOf(server);
    const { userId } = await addPerson(server, { username: "ada" });
    const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const user = (await findUser(domain.database.read, instanceId, userId)) ?? assert.fail();
    const call = testCall({ instanceId, now: domain.clock() });
    const ran: number[] = [];
    const addRunTime = (_call: unknown, milliseconds: number): void => void ran.push(milliseconds);
    const saml = createSamlScripts({
      ...domain,
      words: ["service"],
      scriptPool: createLatePool(),
      scriptLog: () => {},
      quotaMeter: { hasRunTime: () => true, addRunTime },
    });
    const project = { projectId: "", organizationId: user.organizationId };
    const attributes = (counts = true) => saml.run(call, { user, project, counts: () => counts });
    assert.deepEqual(await attributes(), []);
    await scripts.run(
      ["4", "6"],
      "roles",
      `function roles(ctx, api) {
        const { setCustomAttribute } = api.v1.attributes;
        setCustomAttribute("OrgID", "", ctx.v1.getUser().resourceOwner);
        setCustomAttribute("OrgID", "", "other");
        setCustomAttribute("Roles", "urn:oasis:names:tc:SAML:2.0:attrname-format:basic", "a", 2, ctx.v1.user.grants.count);
      }`,
    );
    assert.deepEqual(await attributes(), [
      { name: "OrgID", nameFormat: "", values: [await defaultOrganization(server)] },
      { name: "Roles", nameFormat: "urn:oasis:names:tc:SAML:2.0:attrname-format:basic", values: ["a", "2", "0"] },
    ]);
    assert.deepEqual(await attributes(false), []);
    assert.equal(ran.length, 1, "each run is counted, with its time");
    assert.ok((ran[0] ?? 0) > 0);
  });
});
