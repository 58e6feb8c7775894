import assert from "node:assert/strict";
import { createLink, isOpen, present } from "../../setup-link/support.ts";
import { defaultOrganization } from "../../support/people/people.ts";
import type { Tour } from "./tour.ts";

/** Sets up an organization by a link, with what a customer might write. */
export async function walkSetupLink(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const link = await createLink(server, await defaultOrganization(server));
  tour.plant("code of a setup link", link.code);
  const browser = tour.browser();
  let page = await present(browser, link);
  assert.ok(isOpen(page), page.html);
  page = await browser.submit(page, { domain: say("domain") }, { action: "/domain" });
  page = await browser.submit(page, { domain: "tour.example" }, { action: "/domain" });
  const client_secret = tour.plant("client secret", "the secret of the tour's customer");
  const fields = { provider_name: say("provider"), issuer: "https://issuer.example", client_id: "tour", client_secret };
  page = await browser.submit(page, fields, { action: "/oidc" });
  page = await browser.submit(page, {}, { action: "/test" });
  for (const path of ["proof", "check", "saml"]) {
    const [form] = page.forms;
    assert.ok(form);
    const sent = { ...form, action: `/ui/setup-link/${path}` };
    await browser.submit({ ...page, forms: [sent] }, { domain: say("domain") });
  }
  page = await browser.submit(page, {}, { action: "/offer" });
  page = await browser.submit(page, {}, { action: "/remove" });
  page = await browser.submit(page, {}, { action: "/finish" });
  assert.match(page.html, /The link no longer works/);
}
