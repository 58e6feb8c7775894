import assert from "node:assert/strict";
import { test } from "node:test";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { startOidcServer } from "../../server/test/support/oidc/oidc.ts";
import { setRegistration } from "../../server/test/support/oidc/registration.ts";
import { startMcpServer } from "../support/mcp-server.ts";
import { signInByForms } from "../support/relying-party.ts";

/** What a client of the protocol keeps between its steps. */
class Kept implements OAuthClientProvider {
  readonly redirectUrl = "http://localhost:33418/callback";
  readonly clientMetadata: OAuthClientMetadata;
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  verifier = "";
  sentTo: URL | undefined;

  constructor(authMethod: string) {
    this.clientMetadata = {
      client_name: "Assistant",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: authMethod,
    };
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

for (const authMethod of ["none", "client_secret_post"]) {
  test(`the SDK of the Model Context Protocol registers itself (${authMethod}), signs in, calls, and refreshes`, async (t) => {
    const server = await startOidcServer(t, { now: Date.now() });
    await setRegistration(server, "open");
    const { url } = await startMcpServer(t, server);
    const kept = new Kept(authMethod);
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: "assistant", version: "1.0.0" });
      await client.connect(new StreamableHTTPClientTransport(url, { authProvider: kept }) as Transport);
      t.after(() => client.close());
      return client;
    };

    // Refused, it finds us by the resource's metadata, registers, and wants its user to sign in.
    await assert.rejects(connect, UnauthorizedError);
    assert.ok(kept.information?.client_id);
    assert.equal(kept.information.client_secret === undefined, authMethod === "none");
    assert.equal(kept.sentTo?.searchParams.get("code_challenge_method"), "S256");
    const callback = new URL(await signInByForms(server, kept.sentTo.href));
    assert.equal(callback.searchParams.get("state"), kept.state());
    const code = callback.searchParams.get("code") ?? "";
    await new StreamableHTTPClientTransport(url, { authProvider: kept }).finishAuth(code);
    const client = await connect();
    const who = async (by: Client): Promise<unknown> => (await by.callTool({ name: "who" })).content;
    assert.deepEqual(await who(client), [{ type: "text", text: server.user.userId }]);

    // A user's token for another resource is worth nothing there.
    const { access_token: other } = await server.tokens({ scope: "openid" });
    const headers = { authorization: `Bearer ${other}` };
    assert.equal((await fetch(url, { method: "POST", headers })).status, 401);

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
