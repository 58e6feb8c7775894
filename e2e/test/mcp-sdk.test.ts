import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { documentOf, permit, startSite } from "../../server/test/oauth/client/document-site.ts";
import { testCertificate } from "../../server/test/support/http/test-certificate.ts";
import { type OidcServer, startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { makeRegistrar, registered, setRegistration } from "../../server/test/support/oidc/registration.ts";
import { startMcpServer } from "../support/mcp-server.ts";
import { signInByForms } from "../support/relying-party.ts";

const redirectUrl = "http://localhost:33418/callback";

/** What a client of the protocol keeps between its steps. */
class Kept implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  verifier = "";
  sentTo: URL | undefined;

  constructor({ authMethod = "none", information, clientMetadataUrl }: KnownAs = {}) {
    this.clientMetadata = {
      client_name: "Assistant",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: authMethod,
    };
    this.information = information;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  state(): string {
    return "state of the client";
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.information;
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }

  tokens(): OAuthTokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
}

interface KnownAs {
  readonly authMethod?: string;
  readonly information?: OAuthClientInformationMixed;
  readonly clientMetadataUrl?: string;
}

/** How a client becomes known: what docs/mcp.md lists. */
const kinds: Readonly<Record<string, (t: TestContext, server: OidcServer) => Promise<Kept>>> = {
  "registers itself, without a secret": async (_t, server) => {
    await setRegistration(server, "open");
    return new Kept();
  },
  "registers itself, and gets a secret": async (_t, server) => {
    await setRegistration(server, "open");
    return new Kept({ authMethod: "client_secret_post" });
  },
  "was registered with a token": async (_t, server) => {
    await setRegistration(server, "token");
    const { token } = await makeRegistrar(server, server.organizationId);
    return new Kept({ information: await registered(server, new Kept().clientMetadata, token) });
  },
  "is the address of its document": async (t, server) => {
    const site = await startSite(t);
    site.publish(documentOf(site, { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" }));
    await permit(server, { allowedUrls: [site.url] });
    return new Kept({ clientMetadataUrl: site.url });
  },
  "was registered by an administrator": async (_t, server) => {
    const { clientId } = await server.createClient({
      redirectUris: [redirectUrl],
      applicationType: "OIDC_APP_TYPE_NATIVE",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    });
    return new Kept({ information: { client_id: clientId } });
  },
};

test("the SDK of the Model Context Protocol signs in, calls, and refreshes, when the client", async (t) => {
  const server = await startOidcServer(t, { now: Date.now(), certificates: testCertificate.cert });
  const { url } = await startMcpServer(t, server);
  for (const [kind, makeKnown] of Object.entries(kinds)) {
    await t.test(kind, async (t) => {
      await setRegistration(server, "off");
      const kept = await makeKnown(t, server);
      const isSecret = kept.clientMetadata.token_endpoint_auth_method !== "none";
      const connect = async (): Promise<Client> => {
        const client = new Client({ name: "assistant", version: "1.0.0" });
        await client.connect(new StreamableHTTPClientTransport(url, { authProvider: kept }) as Transport);
        t.after(() => client.close());
        return client;
      };

      // Refused, it finds us by the resource's metadata, and wants its user to sign in.
      await assert.rejects(connect, UnauthorizedError);
      assert.ok(kept.information?.client_id);
      assert.equal(kept.information.client_secret !== undefined, isSecret);
      assert.equal(kept.sentTo?.searchParams.get("code_challenge_method"), "S256");
      const callback = new URL(await signInByForms(server, kept.sentTo.href));
      assert.equal(callback.searchParams.get("state"), kept.state());
      const code = callback.searchParams.get("code") ?? "";
      await new StreamableHTTPClientTransport(url, { authProvider: kept }).finishAuth(code);
      const client = await connect();
      const who = async (by: Client): Promise<unknown> => (await by.callTool({ name: "who" })).content;
      assert.deepEqual(await who(client), [{ type: "text", text: server.user.userId }]);

      // The access token is revoked: the next call refreshes without asking the user.
      const { access_token: first, refresh_token: refresh } = kept.saved ?? assert.fail("no tokens");
      const { client_id: clientId, client_secret: secret } = kept.information;
      const revocation = { token: first, client_id: clientId, ...(secret !== undefined && { client_secret: secret }) };
      assert.equal((await server.form("/oauth/v2/revoke", revocation)).status, 200);
      kept.sentTo = undefined;
      assert.deepEqual(await who(client), [{ type: "text", text: server.user.userId }]);
      assert.equal(kept.sentTo, undefined);
      assert.notEqual(kept.saved?.access_token, first);
      assert.notEqual(kept.saved?.refresh_token, refresh);
    });
  }

  await t.test("and a user's token for another resource is worth nothing there", async () => {
    const { access_token: other } = await server.tokens({ scope: "openid" });
    const headers = { authorization: `Bearer ${other}` };
    assert.equal((await fetch(url, { method: "POST", headers })).status, 401);
  });
});
