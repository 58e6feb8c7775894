import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { fetch } from "../../support/http/fetch.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";

export interface Site {
  readonly receiver: Receiver;
  readonly url: string;
  /** What the site publishes there from now on. */
  publish(document: unknown, headers?: Readonly<Record<string, string>>): void;
}

export async function startSite(t: TestContext, path = "/client.json"): Promise<Site> {
  const receiver = await startReceiver(t, { isSecure: true });
  const url = `${receiver.origin}${path}`;
  const publish: Site["publish"] = (document, headers = {}) => {
    receiver.answer = (_request, response) =>
      response.writeHead(200, headers).end(typeof document === "string" ? document : JSON.stringify(document));
  };
  publish(documentOf({ receiver, url }));
  return { receiver, url, publish };
}

export const documentOf = ({ receiver, url }: Pick<Site, "receiver" | "url">, more: object = {}) => ({
  client_id: url,
  client_name: "Notebook",
  redirect_uris: [`${receiver.origin}/callback`],
  grant_types: ["authorization_code", "refresh_token"],
  ...more,
});

export const start = (t: TestContext, engine: "sqlite" | "postgres" = "sqlite"): Promise<OidcServer> =>
  startOidcServer(t, { engine, certificates: testCertificate.cert });

export async function permit(server: OidcServer, clientIdMetadataDocument: object, more: object = {}): Promise<void> {
  const { status, body } = await server.rest("PUT", "/v2/policies/security", {
    body: { clientIdMetadataDocument: { enabled: true, ...clientIdMetadataDocument }, ...more },
  });
  assert.equal(status, 200, JSON.stringify(body));
}

export const toClient = ({ receiver, url }: Site): TestClient => ({
  applicationId: "",
  clientId: url,
  clientSecret: "",
  redirectUri: `${receiver.origin}/callback`,
  basic: { authorization: `Basic ${Buffer.from(`${encodeURIComponent(url)}:x`).toString("base64")}` },
});

/** What the authorization endpoint does with the client: continues to the login, or shows an error and goes nowhere. */
export async function isTaken(
  server: OidcServer,
  site: Pick<Site, "receiver" | "url">,
  redirectUri = `${site.receiver.origin}/callback`,
  source?: string,
): Promise<boolean> {
  const query = new URLSearchParams({
    client_id: site.url,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const headers = source === undefined ? {} : { "x-forwarded-for": source };
  const answer = await fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual", headers });
  const location = answer.headers.get("location");
  assert.ok(location === null || location.startsWith("/ui/"), `${location}`);
  assert.equal(location === null, answer.status === 400, `${answer.status}`);
  return location !== null;
}
