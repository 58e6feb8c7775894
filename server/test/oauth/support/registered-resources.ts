import assert from "node:assert/strict";
import { isBack } from "../../login/support/sign-in.ts";
import type { OidcServer, TestClient } from "../../support/oidc/oidc.ts";
import { addApi, addResource } from "../../support/oidc/resources.ts";
import { addOrganization } from "../../support/people/people.ts";
import type { SignInClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

export const projects = "service.project.v2.ProjectService";
/** The resource of most tests. */
export const tools = "https://tools.example/mcp";
export const scopes = [
  { name: "tools:read", descriptions: { en: "Look at your tools", de: "Deine Werkzeuge ansehen" } },
  { name: "tools:write", descriptions: { en: "Change your tools" } },
];
export const jwt = { tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT" };

export async function ok(answering: ReturnType<OidcServer["connect"]>) {
  const { status, body } = await answering;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** A project of another organization, with an API application and a resource. */
export async function makeBank(server: OidcServer, uri = "https://api.bank.example") {
  const organizationId = await addOrganization(server, "Bank Ltd");
  const { projectId } = await ok(server.connect(`${projects}/CreateProject`, { organizationId, name: "Bank" }));
  const api = await addApi(server, projectId);
  const id = await addResource(server, projectId, uri, {
    name: "Accounts",
    scopes: [
      { name: "accounts:read", descriptions: { en: "See your accounts", de: "Deine Konten sehen" } },
      { name: "accounts:pay", descriptions: { en: "Pay from your accounts" } },
    ],
  });
  return { organizationId, projectId, api, id, uri };
}

/** The error that an application got. */
export const errorOf = ({ address }: ShownPage): string | null =>
  new URL(address, "http://localhost").searchParams.get("error");
export const isAsked = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/consent?");
/** Lets the application in. */
export const allow = (browser: TestBrowser, page: ShownPage) =>
  browser.submit(page, { decision: "allow" }, { action: "/ui/login/consent" });

export async function redeem(client: SignInClient, page: ShownPage, codeVerifier: string) {
  assert.ok(isBack(page), page.html);
  const { status, body } = await client.exchange(page.address, codeVerifier);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export const isActive = async (server: OidcServer, token: string, by: TestClient): Promise<boolean> => {
  const answer = await server.introspect(token, by);
  if (answer["active"] !== true) assert.deepEqual(answer, { active: false }, "nothing more is told");
  return answer["active"] === true;
};
