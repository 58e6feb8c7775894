import { logoAddressOf, versionOfLogo } from "../domain/client-logo/index.ts";
import { findRegistration } from "../domain/registration/index.ts";
import { assetHeaders, type WebRequest, type WebRoute } from "../web/index.ts";
import type { PageDeps } from "./deps.ts";

type Deps = Pick<PageDeps, "database" | "clients" | "clientLogos">;

/**
 * Serves the logo that a client registered, to our own pages. The request names the client; the address is always that
 * of its registration. The version is the hash of this address, so a browser may keep what it has.
 */
export const createClientLogoRoute = (deps: Deps): WebRoute => ({
  methods: ["GET"],
  path: "/ui/login/client-logo",
  protocol: "plain",
  handler: async (request: WebRequest) => {
    const headers = {
      ...assetHeaders(request.instance.origin.startsWith("https:")),
      "content-security-policy": "default-src 'none'; sandbox",
    };
    const logo = await findLogo(deps, request);
    // It may come later, so its absence is not cached.
    if (logo === undefined) return { status: 404, headers: { ...headers, "cache-control": "no-store" } };
    const found = { ...headers, "cache-control": "public, max-age=86400, immutable", "content-type": logo.contentType };
    return { status: 200, headers: found, body: logo.bytes };
  },
});

async function findLogo({ database, clients, clientLogos }: Deps, { call, query }: WebRequest) {
  const asked = new URLSearchParams(query);
  const client = await clients.find(call.instanceId, asked.get("client") ?? "");
  if (client?.isActive !== true) return undefined;
  const found = await findRegistration(database.read, call.instanceId, client.clientId);
  const logo = found && logoAddressOf(client, found.registration);
  return logo === undefined || asked.get("version") !== versionOfLogo(logo)
    ? undefined
    : clientLogos.find(logo, call.source ?? "");
}
