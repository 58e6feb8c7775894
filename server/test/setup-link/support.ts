import assert from "node:assert/strict";
import type { TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

const bothParts = ["SETUP_PART_DOMAIN", "SETUP_PART_IDENTITY_PROVIDER"];

export interface CreatedLink {
  readonly id: string;
  readonly code: string;
}

/** Creates a link and returns the code in its address. */
export async function createLink(
  server: TestServer,
  organizationId: string,
  {
    token,
    parts = bothParts,
    lifetimeDays = 0,
  }: { token?: string; parts?: readonly string[]; lifetimeDays?: number } = {},
): Promise<CreatedLink> {
  const body = { organizationId, parts, lifetimeDays };
  const made = await server.rest("POST", "/v2/setup_links", { body, ...(token !== undefined && { token }) });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { hash, pathname } = new URL(made.body.url);
  assert.equal(pathname, "/ui/setup-link");
  return { id: made.body.link.id, code: hash.slice(1) };
}

/** Presents a link in a browser, and returns the page that it leads to. */
export async function present(browser: TestBrowser, { code }: Pick<CreatedLink, "code">): Promise<ShownPage> {
  const page = await browser.open("/ui/setup-link");
  return browser.submit(page, { setup_code: code });
}

/** A browser that has a link open, and its page. */
export async function openLink(
  server: TestServer,
  link: Pick<CreatedLink, "code">,
): Promise<{ readonly browser: TestBrowser; readonly page: ShownPage }> {
  const browser = new TestBrowser(server);
  const page = await present(browser, link);
  assert.ok(isOpen(page), page.html);
  return { browser, page };
}

export const isOpen = ({ address }: ShownPage): boolean => address.startsWith("/ui/setup-link/tasks");

/** Whether the browser was told that the link is closed for it. */
export const isClosed = (page: ShownPage): boolean =>
  !isOpen(page) && page.alert?.startsWith("This link has ended") === true;

/** The providers of an organization. */
export async function providersOf(
  server: TestServer,
  organizationId: string,
): Promise<{ id: string; name: string; config: { options: Record<string, unknown> }; owner: string }[]> {
  const { body } = await server.rest("POST", "/management/v1/idps/templates/_search", {
    body: {},
    headers: { "x-service-orgid": organizationId },
  });
  return (body.result ?? []).filter(({ owner }: { owner: string }) => owner === "IDP_OWNER_TYPE_ORG");
}

/** The domains of an organization besides its first one. */
export async function domainsOf(server: TestServer, organizationId: string): Promise<string[]> {
  const { body } = await server.rest("POST", `/v2/organizations/${organizationId}/domains/search`, { body: {} });
  return body.domains
    .filter(({ isPrimary }: { isPrimary?: boolean }) => isPrimary !== true)
    .map(({ domain }: { domain: string }) => domain);
}

/** Sends the form of a SAML provider, with its metadata as a file. */
export async function uploadSaml(
  server: TestServer,
  browser: TestBrowser,
  { name, metadata }: { readonly name: string; readonly metadata: string },
): Promise<Response> {
  const page = await browser.open("/ui/setup-link/tasks");
  const token = page.forms[0]?.values.find(([each]) => each === "csrf_token")?.[1] ?? "";
  const boundary = "boundary";
  const parts = [
    ["csrf_token", "", token],
    ["provider_name", "", name],
    ["metadata", '; filename="metadata.xml"', metadata],
  ].map(
    ([field, more, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"${more}\r\n\r\n${value}\r\n`,
  );
  return browser.send("/ui/setup-link/saml", {
    method: "POST",
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      origin: server.origin,
      "sec-fetch-site": "same-origin",
    },
    body: `${parts.join("")}--${boundary}--\r\n`,
  });
}
