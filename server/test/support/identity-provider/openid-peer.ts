import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import Provider, { type Context } from "oidc-provider";
import { testKeyPair } from "../oidc/signed-jose.ts";

/** npm's `oidc-provider`, in which every visitor is signed in at once as `person`. */
export interface OpenIdPeer {
  readonly issuer: string;
  /** The user who signs in from now on; undefined for a user who cancels. */
  person: { readonly sub: string; readonly [claim: string]: unknown } | undefined;
  /** Failures of the peer itself. */
  readonly failures: unknown[];
}

/** Its clients in its own metadata, without addresses. */
export type PeerClient = { readonly client_id: string; readonly [member: string]: unknown };

const rsa = testKeyPair("RS256").privateKey.export({ format: "jwk" });
const ec = testKeyPair("ES256").privateKey.export({ format: "jwk" });
const okp = testKeyPair("EdDSA").privateKey.export({ format: "jwk" });

/** Starts the peer on the loopback address; it stops after the test. It uses the machine's clock. `more` configures. */
export async function startOpenIdPeer(
  t: TestContext,
  redirectUri: string,
  clients: readonly PeerClient[],
  more: object = {},
): Promise<OpenIdPeer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const peer: OpenIdPeer = { issuer, person: undefined, failures: [] };
  const provider = new Provider(issuer, {
    clients: clients.map((client) => ({ redirect_uris: [redirectUri], response_types: ["code"], ...client })),
    jwks: {
      keys: [
        { ...rsa, use: "sig", kid: "rsa" },
        { ...ec, use: "sig", kid: "ec" },
        { ...okp, use: "sig", kid: "okp" },
      ],
    },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name", "preferred_username"],
    },
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: true } },
    findAccount: (_context: Context, accountId: string) => ({
      accountId,
      claims: async () => ({ ...peer.person, sub: accountId }),
    }),
    ...more,
    // No user is asked for consent.
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new provider.Grant({ accountId: oidc.account.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith("/interaction/")) return next();
    context.respond = false;
    const { person } = peer;
    const result = person === undefined ? { error: "access_denied" } : { login: { accountId: person.sub } };
    return provider.interactionFinished(context.req, context.res, result);
  });
  provider.on("server_error", (_context, error) => peer.failures.push(error));
  server.on("request", provider.callback());
  return peer;
}
