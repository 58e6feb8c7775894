import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { bindings } from "../../../src/base/saml/index.ts";
import { measureReads } from "../../support/databases/read-amounts.ts";
import { samlMetadata } from "../../support/identity-provider/saml-metadata.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachServer } from "../../support/servers/each-server.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { openOptions } from "../trusted.ts";

// Random, so that packing does not make it short.
function longMetadata(location: string): string {
  const endpoints = Array.from({ length: 40 }, () => {
    const address = `https://saml.example/${randomBytes(600).toString("base64url")}`;
    return `<md:SingleSignOnService Binding="${bindings.post}" Location="${address}"/>`;
  });
  const metadata = samlMetadata({ location, entityId: location });
  return metadata.replace("</md:IDPSSODescriptor>", `${endpoints.join("")}</md:IDPSSODescriptor>`);
}

eachServer((start) => {
  test("a login page reads of each SAML provider what its button needs, and the metadata of the chosen one alone", async (t) => {
    const server = await start(t);
    const offered: string[] = [];
    const offer = async (...names: readonly string[]) => {
      for (const name of names) {
        const xml = longMetadata(`https://saml.example/${name}`);
        const body = {
          name,
          metadataXml: Buffer.from(xml).toString("base64"),
          binding: "SAML_BINDING_REDIRECT",
          providerOptions: openOptions,
        };
        const added = await server.rest("POST", "/admin/v1/idps/saml", { body });
        assert.equal(added.status, 200, JSON.stringify(added.body));
        offered.push(added.body.id);
      }
      await changeSettings(server, "login", { identityProviderIds: offered });
    };
    const reads = measureReads(server.app.domain.database);
    const open = () => new TestBrowser(server).open("/ui/login?account=other");
    const costOfPage = async () => {
      await open();
      return reads.during(async () => assert.equal((await open()).status, 200));
    };
    await offer("First");
    const one = await costOfPage();
    await offer("Second", "Third", "Fourth");
    const four = await costOfPage();
    assert.equal(four.statements, one.statements);
    assert.ok(four.characters - one.characters < 3_000, JSON.stringify({ one, four }));

    const browser = new TestBrowser(server);
    const page = await browser.open("/ui/login?account=other");
    for (const name of ["First", "Fourth"]) assert.match(page.html, new RegExp(name));
    let address = "";
    const chosen = await reads.during(async () => {
      const provider = offered.at(-1) ?? "";
      ({ address } = await browser.submit(page, { provider }, { action: "/ui/login/provider" }));
    });
    assert.ok(address.startsWith("https://saml.example/Fourth?SAMLRequest="), address);
    assert.ok(chosen.characters > 20_000, "the metadata of one");
    assert.ok(chosen.characters < 90_000, `${chosen.characters} characters: the metadata of one alone`);
  });
});
