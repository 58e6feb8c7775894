import assert from "node:assert/strict";
import { nameIdFormats, writeRedirect, xml } from "../../../src/base/saml/index.ts";
import { fetch } from "../../support/http/fetch.ts";
import { formField, type SamlPartner } from "../../support/identity-provider/saml-partner.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { postResponse } from "./support.ts";

/** A provider as users of the login see it. */
export interface KnownPartner {
  readonly server: TestServer;
  readonly partner: SamlPartner;
  readonly idpId: string;
}

/** What the provider says of a user with this name. */
export const answerOf = (subject: string, SessionIndex: string) => ({
  subject,
  attributes: { mail: `${subject}@saml.example`, email_verified: "true", givenName: "A", sn: "B" },
  authentication: { SessionIndex },
});

/** Sends a browser to the provider and lets it answer; returns the page of ours that the browser has to open. */
export async function postAnswer(
  { partner, idpId }: KnownPartner,
  { browser, subject, index }: { readonly browser: TestBrowser; readonly subject: string; readonly index: string },
): Promise<string> {
  const page = await browser.open("/ui/login?account=other");
  const away = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
  const request = await partner.read(away.address);
  const posted = await postResponse(request.consumer, {
    SAMLResponse: formField(await partner.answer(request, answerOf(subject, index))),
    RelayState: request.relayState,
  });
  return posted.headers.get("location") ?? "";
}

/** Signs in with the provider; returns the page that follows. */
export async function signInBySaml(
  known: KnownPartner,
  subject: string,
  index: string,
  browser = new TestBrowser(known.server),
): Promise<{ readonly browser: TestBrowser; readonly page: ShownPage }> {
  return { browser, page: await browser.open(await postAnswer(known, { browser, subject, index })) };
}

let count = 0;

interface Logout {
  readonly subject: string;
  /** Sessions there; all of the account without one. */
  readonly indexes?: readonly string[];
  /** The browser that brings the request. */
  readonly browser?: TestBrowser | undefined;
  readonly signer?: SamlPartner["signer"];
}

/** Ends sessions at the provider, a while after they began. */
export async function endThere(
  { server, partner, idpId }: KnownPartner,
  { subject, indexes = [], browser, signer = partner.signer }: Logout,
): Promise<void> {
  server.clock.now += 10_000;
  const destination = `${server.origin}/idps/${idpId}/saml/slo`;
  count += 1;
  const values = { ID: `_logout${count}`, Version: "2.0", IssueInstant: new Date(server.clock.now).toISOString() };
  const message = xml("samlp:LogoutRequest", { ...values, Destination: destination }, [
    xml("saml:Issuer", {}, [partner.entityId]),
    xml("saml:NameID", { Format: nameIdFormats.persistent }, [subject]),
    ...indexes.map((index) => xml("samlp:SessionIndex", {}, [index])),
  ]);
  const url = await writeRedirect({ destination, parameter: "SAMLRequest", message, signer });
  const { status } =
    browser === undefined
      ? await fetch(url, { redirect: "manual" })
      : await browser.send(url.slice(server.origin.length));
  assert.equal(status, 303);
  server.clock.now += 10_000;
}

/** Returns the account page of a signed-in browser; empty for any other. */
export async function accountIn(browser: TestBrowser): Promise<string> {
  const page = await browser.open("/ui/account");
  return page.address.startsWith("/ui/account") ? page.html : "";
}
