import assert from "node:assert/strict";
import { fetch } from "../support/http/fetch.ts";
import { oidcAt, putProvider } from "../support/identity-provider/identity-providers.ts";
import type { TestProvider } from "../support/identity-provider/test-provider.ts";
import type { TestServer } from "../support/servers/server.ts";

/** Where applications of tests have their pages. */
export const pages = { successUrl: "https://login.example/good?x=1", failureUrl: "https://login.example/bad" };

/** What an application is told when a browser comes back. */
export interface Told {
  readonly status: number;
  readonly page: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Adds the provider to the server as a generic OpenID provider. */
export const knowProvider = (
  server: TestServer,
  { issuer, clientSecret }: TestProvider,
  given: Partial<Parameters<typeof putProvider>[1]> = {},
): Promise<string> => putProvider(server, { configuration: oidcAt(issuer), secret: clientSecret, ...given });

/** Starts an attempt as an application does, and returns where the browser is sent. */
export async function startAttempt(server: TestServer, idpId: string, urls: object = pages): Promise<string> {
  const { status, body } = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.authUrl;
}

/** Opens an address of the server in a browser. */
export async function arrive(url: URL | string, headers: Record<string, string> = {}): Promise<Told> {
  const answer = await fetch(url, { redirect: "manual", headers });
  await answer.arrayBuffer();
  const location = answer.headers.get("location");
  if (location === null) return { status: answer.status, page: "", parameters: {} };
  const { origin, pathname, searchParams } = new URL(location, url);
  return { status: answer.status, page: origin + pathname, parameters: Object.fromEntries(searchParams) };
}

/** Makes a whole attempt: the application starts it, a user signs in at the provider, and the application is told. */
export async function attempt(server: TestServer, provider: TestProvider, idpId: string): Promise<Told> {
  return arrive(provider.signIn(await startAttempt(server, idpId)));
}

/** Makes an attempt that succeeds, and returns it as the API takes it. */
export async function provenAttempt(server: TestServer, provider: TestProvider, idpId: string) {
  const { parameters, page } = await attempt(server, provider, idpId);
  assert.equal(page, "https://login.example/good", JSON.stringify(parameters));
  return { idpIntentId: parameters["id"] ?? "", idpIntentToken: parameters["token"] ?? "" };
}
