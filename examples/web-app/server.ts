import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as oidc from "openid-client";
import { renderPage } from "./page.ts";

/** What the application knows of its provider and of itself. */
export interface Settings {
  /** The provider: the base URL of Doorward. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where this application is reached, such as `http://localhost:3000`. */
  readonly origin: string;
}

/** What is remembered of one browser, on the server. The browser has only the name of it, in a cookie. */
interface Session {
  /** During a sign-in: what proves that the answer belongs to the request. */
  pending?: { readonly state: string; readonly nonce: string; readonly codeVerifier: string };
  tokens?: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;
  /** The latest id token: a renewed one need not come with every refresh. */
  idToken?: string;
  claims?: Readonly<Record<string, unknown>>;
}

/** Makes the application. It finds its provider with the first request, so that either may start first. */
export function createWebApp(settings: Settings): Server {
  const sessions = new Map<string, Session>();
  let provider: Promise<oidc.Configuration> | undefined;
  const findProvider = (): Promise<oidc.Configuration> => {
    provider ??= discover(settings).catch((error: unknown) => {
      provider = undefined;
      throw error;
    });
    return provider;
  };
  const redirectUri = `${settings.origin}/callback`;

  const routes: Record<string, (session: Session, url: URL) => Promise<Answer>> = {
    "GET /": async (session) => ({ page: renderPage(session.claims, session.tokens?.expiresIn()) }),

    // Sends the browser to the provider: authorization code with PKCE.
    "GET /sign-in": async (session) => {
      const codeVerifier = oidc.randomPKCECodeVerifier();
      session.pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier };
      const address = oidc.buildAuthorizationUrl(await findProvider(), {
        redirect_uri: redirectUri,
        // offline_access asks for a refresh token.
        scope: "openid profile email offline_access",
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
        state: session.pending.state,
        nonce: session.pending.nonce,
      });
      return { redirect: address.href };
    },

    // The browser is back with a code; the library checks the answer and exchanges the code for tokens.
    "GET /callback": async (session, url) => {
      const { pending } = session;
      delete session.pending;
      if (pending === undefined) return { redirect: "/" };
      session.tokens = await oidc.authorizationCodeGrant(await findProvider(), url, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.codeVerifier,
        idTokenExpected: true,
      });
      await remember(await findProvider(), session);
      return { redirect: "/" };
    },

    "POST /refresh": async (session) => {
      const { refresh_token: refreshToken } = session.tokens ?? {};
      if (refreshToken === undefined) return { redirect: "/" };
      // The answer brings another refresh token; the one that was used is dead.
      session.tokens = await oidc.refreshTokenGrant(await findProvider(), refreshToken);
      await remember(await findProvider(), session);
      return { redirect: "/" };
    },

    // Forgets the tokens here, then ends the session at the provider, which sends the browser back.
    "POST /sign-out": async (session) => {
      const { idToken } = session;
      delete session.tokens;
      delete session.claims;
      delete session.idToken;
      if (idToken === undefined) return { redirect: "/" };
      const address = oidc.buildEndSessionUrl(await findProvider(), {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${settings.origin}/`,
      });
      return { redirect: address.href };
    },
  };

  const answerRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", settings.origin);
    const handle = routes[`${request.method} ${url.pathname}`];
    try {
      const answer = await handle?.(findSession(sessions, request, response), url);
      write(response, answer ?? { status: 404, page: renderPage(undefined, undefined, "There is no such page.") });
    } catch (error) {
      console.error(error);
      write(response, { status: 502, page: renderPage(undefined, undefined, describe(error)) });
    }
  };
  return createServer((request, response) => void answerRequest(request, response));
}

function discover({ issuer, clientId, clientSecret }: Settings): Promise<oidc.Configuration> {
  // Without TLS only on this machine, while developing.
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(issuer);
  const options = isLocal ? { execute: [oidc.allowInsecureRequests] } : {};
  const authentication = oidc.ClientSecretBasic(clientSecret);
  return oidc.discovery(new URL(issuer), clientId, undefined, authentication, options);
}

/** Keeps what the page shows: claims of the id token, and those that only the userinfo endpoint tells. */
async function remember(provider: oidc.Configuration, session: Session): Promise<void> {
  const { tokens } = session;
  const claims = tokens?.claims();
  if (tokens?.id_token !== undefined) session.idToken = tokens.id_token;
  const subject = claims?.sub ?? session.claims?.["sub"];
  if (tokens === undefined || typeof subject !== "string") return;
  const userinfo = await oidc.fetchUserInfo(provider, tokens.access_token, subject);
  session.claims = { ...session.claims, ...claims, ...userinfo };
}

const cookie = "example-session";

/**
 * The session of the browser that asks. A new browser gets one, and a cookie that no script and no other site can use.
 */
function findSession(sessions: Map<string, Session>, request: IncomingMessage, response: ServerResponse): Session {
  const [, known = ""] = new RegExp(`(?:^|; )${cookie}=([^;]*)`).exec(request.headers.cookie ?? "") ?? [];
  const found = sessions.get(known);
  if (found !== undefined) return found;
  const name = randomBytes(32).toString("base64url");
  const session: Session = {};
  sessions.set(name, session);
  response.setHeader("set-cookie", `${cookie}=${name}; Path=/; HttpOnly; SameSite=Lax`);
  return session;
}

type Answer = { readonly redirect: string } | { readonly page: string; readonly status?: number };

function write(response: ServerResponse, answer: Answer): void {
  response.setHeader("cache-control", "no-store");
  if ("redirect" in answer) {
    response.writeHead(303, { location: answer.redirect }).end();
    return;
  }
  response.setHeader("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
  response.writeHead(answer.status ?? 200, { "content-type": "text/html; charset=utf-8" }).end(answer.page);
}

function describe(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `That did not work: ${reason instanceof Error ? reason.message : String(reason)}`;
}

if (import.meta.main) {
  const { ISSUER = "http://localhost:8080", CLIENT_ID, CLIENT_SECRET, PORT = "3000" } = process.env;
  if (CLIENT_ID === undefined || CLIENT_SECRET === undefined) {
    console.error("Set CLIENT_ID and CLIENT_SECRET; README.md says how to get them.");
    process.exit(2);
  }
  const origin = `http://localhost:${PORT}`;
  const app = createWebApp({ issuer: ISSUER, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, origin });
  app.listen(Number(PORT), "localhost", () => console.log(`Open ${origin}`));
}
