import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { GetProviderByIDResponseSchema } from "@doorward/api/service/admin/v1/provider_pb";
import type { Page } from "playwright-core";
import { samlMetadata } from "../../../server/test/support/identity-provider/saml-metadata.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const descriptor = /<md:KeyDescriptor[\s\S]*<\/md:KeyDescriptor>/;
const keyIn = (metadata: string): string => descriptor.exec(metadata)?.[0] ?? "";
const open = "<ds:X509Certificate>";
const [shown, own] = [samlMetadata({ certificate: 0 }), samlMetadata({ certificate: 1 })];

/** The certificate in a metadata, as administrators compare it. */
function printOf(metadata: string): string {
  const [, certificate = ""] = /X509Certificate>([^<]+)</.exec(metadata) ?? [];
  return new X509Certificate(Buffer.from(certificate, "base64")).fingerprint256;
}

// In both, a search of the text for certificates misses the one whose key signs users in.
const asAttribute = keyIn(shown) + keyIn(own).replace(open, '<ds:X509Certificate Id="c2">');
const inComment = `<!-- ${keyIn(shown)} -->${keyIn(own).replace(open, `${open}<!---->`)}`;

browserTest("taking over shows whose keys sign users in, as the server read them", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { page, open: openPage } = await console.openAs(console.owner);
  const add = async (kind: string, body: object) => {
    const { body: added } = await console.server.rest("POST", `/admin/v1/idps/${kind}`, { body });
    await openPage(`/settings/providers/${added.id}`);
    await page.getByRole("button", { name: "Take over" }).click();
    return page.getByRole("dialog");
  };
  const ofKeys = (keys: string) => {
    const metadata = Buffer.from(shown.replace(descriptor, keys)).toString("base64");
    return { name: "Okta", binding: "SAML_BINDING_REDIRECT", metadataXml: metadata };
  };
  const cases = [
    [asAttribute, [printOf(shown), printOf(own)]],
    [inComment, [printOf(own)]],
  ] as const;
  for (const [keys, prints] of cases) {
    const dialog = await add("saml", ofKeys(keys));
    await dialog.getByText("https://saml.example/sso").waitFor();
    assert.deepEqual(await dialog.getByText(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/).allInnerTexts(), prints);
    assert.equal(await dialog.getByText("EntityDescriptor").count(), 0, "what others make of the file is not shown");
    assert.ok(await takeOver(page).isEnabled());
  }
  const looks = [
    { colorScheme: "light", width: 1280 },
    { colorScheme: "dark", width: 390 },
  ] as const;
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });

  // What identifies users at other servers decides whom they sign in as well.
  const at = (path: string) => `https://idp.example/${path}`;
  const endpoints = { authorizationEndpoint: at("a"), tokenEndpoint: at("t"), userEndpoint: at("u") };
  const client = { name: "Shop", clientId: "c", clientSecret: "s", ...endpoints };
  const dialog = await add("oauth", { ...client, idAttribute: "nickname", scopes: ["one", "two"] });
  for (const value of [at("u"), "idAttribute", "nickname", "two"]) await dialog.getByText(value).first().waitFor();

  // Nothing is taken over of which the API does not say that.
  await page.route(/\/GetProviderByID$/, async (route) => {
    const answer = await route.fetch();
    const message = fromBinary(GetProviderByIDResponseSchema, await answer.body());
    const config = message.idp?.config?.config;
    if (config?.case === "saml" && config.value.partner) config.value.partner.signingCertificates = [];
    await route.fulfill({ response: answer, body: Buffer.from(toBinary(GetProviderByIDResponseSchema, message)) });
  });
  const unknown = await add("saml", ofKeys(keyIn(own)));
  await unknown.getByRole("alert").getByText("It is not known which certificates count").waitFor();
  assert.ok(await takeOver(page).isDisabled());
  console.assertQuiet();
});

const takeOver = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Take over" });
