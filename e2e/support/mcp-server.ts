import type { IncomingMessage } from "node:http";
import type { TestContext } from "node:test";
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import express from "express";
import type { OidcServer, TestClient } from "../../server/test/support/oidc/oidc.ts";
import { addApi, addResource } from "../../server/test/support/oidc/resources.ts";
import { startExpressApp } from "./relying-party.ts";

export interface ProtectedMcpServer {
  /** Where the Model Context Protocol is spoken. */
  readonly url: URL;
}

/**
 * A server of the Model Context Protocol that trusts us with its users: it names us in its resource metadata (RFC
 * 9728), and introspects tokens (RFC 7662). Its one tool says who calls.
 */
export async function startMcpServer(t: TestContext, issuer: OidcServer): Promise<ProtectedMcpServer> {
  const { app, origin } = await startExpressApp(t);
  const url = new URL("/mcp", origin);
  const api = await addApi(issuer, issuer.projectId);
  await addResource(issuer, issuer.projectId, url.href, {
    name: "Who server",
    scopes: [{ name: "who:ask", descriptions: { en: "See who you are" } }],
  });
  const resourceMetadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  app.get("/.well-known/oauth-protected-resource/mcp", (_request, response) => {
    response.json({
      resource: url.href,
      authorization_servers: [issuer.origin],
      scopes_supported: ["who:ask", "offline_access"],
    });
  });
  const verifyAccessToken = (token: string): Promise<AuthInfo> => introspect({ issuer, api }, token, url.href);
  app.use("/mcp", requireBearerAuth({ verifier: { verifyAccessToken }, resourceMetadataUrl }), express.json());
  app.post("/mcp", async (request, response) => {
    const server = new McpServer({ name: "who", version: "1.0.0" });
    server.registerTool("who", { description: "Says who calls" }, ({ authInfo }) => ({
      content: [{ type: "text", text: String(authInfo?.extra?.["sub"]) }],
    }));
    const transport = new StreamableHTTPServerTransport();
    response.on("close", () => void transport.close());
    await server.connect(transport as Transport);
    await transport.handleRequest(request as IncomingMessage & { auth?: AuthInfo }, response, request.body);
  });
  app.all("/mcp", (_request, response) => void response.status(405).end());
  return { url };
}

async function introspect(
  { issuer, api }: { readonly issuer: OidcServer; readonly api: TestClient },
  token: string,
  resource: string,
): Promise<AuthInfo> {
  const { active, aud, client_id: clientId, sub, exp, scope } = await issuer.introspect(token, api);
  if (active !== true) throw new InvalidTokenError("the token is not active");
  if (!String(scope).split(" ").includes("who:ask")) throw new InvalidTokenError("the token may not ask who calls");
  // RFC 8707: a token that was made for another resource is not for us, whichever user it belongs to.
  if (!Array.isArray(aud) || !aud.includes(resource)) throw new InvalidTokenError("the token is for somebody else");
  return {
    token,
    clientId: String(clientId),
    scopes: String(scope).split(" "),
    expiresAt: Number(exp),
    extra: { sub },
  };
}
