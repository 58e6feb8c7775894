import assert from "node:assert/strict";
import { scriptsOf } from "../script/support/scripts.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addOrganization, addPerson, defaultOrganization } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { addProject, nodeSaml, pathOf, postedBy, register, signInAt, startNow } from "./support.ts";

const attributes = {
  attributes: [
    { name: "mail", source: "SAML_ATTRIBUTE_SOURCE_EMAIL" },
    { name: "team", source: "SAML_ATTRIBUTE_SOURCE_METADATA", metadataEntry: "team" },
    { name: "level", source: "SAML_ATTRIBUTE_SOURCE_METADATA", metadataEntry: "level" },
    { name: "id", source: "SAML_ATTRIBUTE_SOURCE_USER_ID" },
  ],
};

serversInTurn((start, test) => {
  test("metadata of a user is told to applications that trust the word of their organization (A13)", async (t) => {
    const server = await startNow(start, t);
    const evil = await addOwnedOrganization(server, "Evil");
    const ofEvil = { organizationId: evil.organizationId, token: evil.token };
    const bank = await addOrganization(server, "Bank");
    const mallory = await addPerson(server, { username: "mallory", organizationId: evil.organizationId });
    const { userId } = mallory;
    const metadata = [{ key: "team", value: Buffer.from("administrators").toString("base64") }];
    const set = await server.connect("service.user.v2.UserService/SetUserMetadata", { userId, metadata }, ofEvil);
    assert.equal(set.status, 200, JSON.stringify(set.body));
    // A script of an organization writes metadata at each response.
    const script = `function raise(ctx, api) { api.v1.user.setMetadata("level", "9"); }`;
    await scriptsOf(server).run(["4", "6"], "raise", script, ofEvil);
    const browser = new TestBrowser(server);
    const home = await addProject(server, { organizationId: evil.organizationId });
    const ofHome = await register(server, {}, { projectId: home, options: { attributes } });
    const first = await nodeSaml(server, ofHome.entityId);
    await signInAt(server, await first.getAuthorizeUrlAsync("", undefined, {}), mallory, browser);

    /** What the service provider of an organization is told. */
    const told = async (organizationId: string): Promise<readonly unknown[]> => {
      const projectId = await addProject(server, { organizationId });
      const { entityId } = await register(server, {}, { projectId, options: { attributes } });
      const sp = await nodeSaml(server, entityId);
      let page = await browser.open(pathOf(await sp.getAuthorizeUrlAsync("", undefined, {})));
      if (page.address.startsWith("/ui/login/consent")) {
        page = await browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });
      }
      const { profile } = await sp.validatePostResponseAsync(postedBy(page).fields);
      assert.equal(profile?.["id"], userId);
      return [profile?.["team"], profile?.["level"]];
    };
    assert.deepEqual(await told(evil.organizationId), ["administrators", JSON.stringify("9")]);
    assert.deepEqual(await told(bank), [undefined, undefined]);
    assert.deepEqual(await told(await defaultOrganization(server)), [undefined, undefined]);
    // Where the organizations of an instance trust one another.
    await changeSettings(server, "security", { skipConsentAcrossOrganizations: true });
    assert.deepEqual(await told(bank), ["administrators", JSON.stringify("9")]);
  });
});
