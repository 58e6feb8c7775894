// npm's oidc-provider as a server of its own, for comparison. Configured by its parent; listens until it is told to
// stop.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import process from "node:process";
import { text } from "node:stream/consumers";
import Provider, { type Context } from "oidc-provider";
import { newChallenge } from "../scenario/code-exchange.ts";
import type { AdapterFactory } from "./adapter.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";
import { createPostgresAdapter } from "./postgres-adapter.ts";
import type { PeerClients } from "./seed.ts";
import { createSqliteAdapter } from "./sqlite-adapter.ts";

export interface PeerConfiguration {
  readonly port: number;
  readonly adapter: "memory" | "sqlite" | "postgres";
  /** File or URL of the database. */
  readonly location: string;
  readonly clients: PeerClients;
}

const configuration = JSON.parse(process.env["BENCH_PEER"] ?? "{}") as PeerConfiguration;
const { port, clients } = configuration;
const accountId = "289734982734987234";
const twelveHours = 12 * 3600;

async function createAdapter({ adapter, location }: PeerConfiguration): Promise<AdapterFactory> {
  switch (adapter) {
    case "memory":
      return createMemoryAdapter();
    case "sqlite":
      return createSqliteAdapter(location);
    case "postgres":
      return createPostgresAdapter(location);
    default:
      return adapter satisfies never;
  }
}

const account = {
  accountId,
  claims: async () => ({
    sub: accountId,
    name: "Ada Lovelace",
    given_name: "Ada",
    family_name: "Lovelace",
    preferred_username: "ada@doorward.localhost",
    email: "ada@example.com",
    email_verified: true,
  }),
};

function createProvider(adapter: AdapterFactory): Provider {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return new Provider(`http://localhost:${port}`, {
    adapter,
    clients: Object.values(clients),
    jwks: {
      keys: [
        { ...rsa, alg: "RS256", use: "sig", kid: "rsa" },
        { ...ec, alg: "ES256", use: "sig", kid: "ec" },
      ],
    },
    scopes: ["openid", "offline_access", "profile", "email", "api"],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name", "preferred_username"],
    },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    findAccount: () => account,
    rotateRefreshToken: true,
    ttl: { AccessToken: twelveHours, ClientCredentials: twelveHours, IdToken: twelveHours, Grant: 90 * 86_400 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: "api",
          accessTokenFormat: "jwt",
          accessTokenTTL: twelveHours,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  });
}

/** Codes as its login would have made them: one grant each. */
async function makeCodes(
  provider: Provider,
  { count, scope, clientId }: { count: number; scope: string; clientId: string },
): Promise<object[]> {
  const client = await provider.Client.find(clientId);
  const make = async (): Promise<object> => {
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(scope);
    const grantId = await grant.save(90 * 86_400);
    const { codeVerifier, codeChallenge } = newChallenge();
    const code = new provider.AuthorizationCode({
      accountId,
      client,
      grantId,
      scope,
      redirectUri: clients.web.redirect_uris[0],
      codeChallenge,
      codeChallengeMethod: "S256",
      authTime: Math.floor(Date.now() / 1000),
      gty: "authorization_code",
    });
    return { code: await code.save(600), codeVerifier };
  };
  const codes: object[] = [];
  while (codes.length < count) {
    codes.push(...(await Promise.all(Array.from({ length: Math.min(32, count - codes.length) }, make))));
  }
  return codes;
}

async function answerBench(provider: Provider, context: Context, next: () => Promise<void>): Promise<void> {
  if (context.path === "/bench/ready") context.body = "ready";
  else if (context.path === "/bench/codes") {
    context.body = await makeCodes(provider, JSON.parse(await text(context.req)));
  } else await next();
}

const provider = createProvider(await createAdapter(configuration));
provider.use((context, next) => answerBench(provider, context, next));
provider.on("server_error", (_context, error) => console.error(error));
const server = provider.listen(port, "127.0.0.1");
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  process.exit(0);
});
