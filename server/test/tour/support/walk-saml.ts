import assert from "node:assert/strict";
import { visit } from "../../login/support/sign-in.ts";
import { createSamlPartner, formField, type SamlAnswer } from "../../support/identity-provider/saml-partner.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { Tour } from "./tour.ts";

/** Comes from a SAML provider: new, refused, not asked for; and ends the session there. */
export async function walkSaml(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const partner = await createSamlPartner({ now: () => server.clock.now, logout: "https://saml.example/slo" });
  const { body } = await server.rest("POST", "/admin/v1/idps/saml", {
    body: {
      name: say("SAML"),
      metadataXml: Buffer.from(partner.metadata).toString("base64"),
      binding: "SAML_BINDING_POST",
      federatedLogoutEnabled: true,
      providerOptions: { isCreationAllowed: true, isLinkingAllowed: true },
    },
  });
  const provider: string = body.id;
  await changeSettings(server, "login", { identityProviderIds: [tour.idpId, provider] });

  /** Goes to the provider and comes back with an answer. */
  const through = async (answer: SamlAnswer) => {
    const browser = tour.browser();
    const { page } = await visit(server, await addClient(server, {}, say("Shop")), {}, browser);
    const away = await browser.submit(page, { provider }, { action: "/ui/login/provider" });
    const form = Object.fromEntries(away.forms[0]?.values ?? []) as Record<string, string>;
    const request = await partner.read(form);
    const SAMLResponse = formField(await partner.answer(request, answer));
    const { pathname } = new URL(request.consumer);
    const posted = await browser.send(pathname, {
      method: "POST",
      body: new URLSearchParams({ SAMLResponse, RelayState: request.relayState }),
    });
    return { browser, pathname, page: await browser.open(posted.headers.get("location") ?? "") };
  };
  const attributes = { mail: "saml@saml.example", givenName: say("Given"), sn: say("Family"), uid: say("user") };
  const { page, pathname } = await through({ subject: say("new"), attributes });
  assert.match(page.address, /^\/ui\/login\/external\?/, page.html);
  const refused = await through({ status: say("status"), issuer: say("issuer") });
  assert.match(refused.page.address, /^\/ui\/login\/external/, refused.page.html);

  const stranger = tour.browser();
  for (const fields of [{ SAMLResponse: say("x") }, { SAMLResponse: say("x"), RelayState: say("y") }]) {
    await stranger.send(pathname, { method: "POST", body: new URLSearchParams(fields) });
  }
  await stranger.open(`/idps/saml/send?id=${encodeURIComponent(say("id"))}`);
  const logout = pathname.replace(/acs$/, "slo");
  for (const query of ["SAMLRequest=", "RelayState=a&SAMLResponse="]) {
    await stranger.open(`${logout}?${query}${encodeURIComponent(say("x"))}`);
    await stranger.send(logout, { method: "POST", body: new URLSearchParams(`${query}x`) });
  }
  for (const document of ["metadata", "certificate"]) await stranger.open(pathname.replace(/acs$/, document));
  await changeSettings(server, "login", { identityProviderIds: [tour.idpId] });
}
