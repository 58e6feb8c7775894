import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { register } from "../../saml/support.ts";
import type { Tour } from "./tour.ts";

/** Comes from a SAML service provider: with a request, without one, and with others that are not understood. */
export async function walkSamlApplication(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const { entityId, applicationId } = await register(server, {}, { options: { allowIdpInitiated: true } });
  const request = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"
    xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_tour" Version="2.0"
    IssueInstant="${new Date(server.clock.now).toISOString()}"><saml:Issuer>${entityId}</saml:Issuer></samlp:AuthnRequest>`;
  const SAMLRequest = deflateRawSync(request).toString("base64");
  const browser = tour.browser();
  const sent = new URLSearchParams({ SAMLRequest, RelayState: say("state") });
  const shown = await browser.open(`/saml/v2/SSO?${sent}`);
  assert.match(shown.address, /^\/ui\/login\?/, shown.html);
  const begun = new URLSearchParams({ application: applicationId, RelayState: say("state") });
  await browser.open(`/saml/v2/start?${begun}`);

  const said = new URLSearchParams({ SAMLRequest: say("request"), RelayState: say("state") });
  for (const path of ["/saml/v2/SSO", "/saml/v2/SLO"]) {
    await browser.open(`${path}?${said}`);
    await browser.send(path, { method: "POST", body: said });
  }
  for (const path of ["/saml/v2/SLO/next", "/saml/v2/start", "/saml/v2/login"]) await browser.open(`${path}?${said}`);
}
