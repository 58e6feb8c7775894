import type { Stack } from "./stacks.ts";

interface Connection {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

type Snippet = (connection: Connection) => string;

const browser: Snippet = ({ issuer, clientId, redirectUri }) => `// npm install oidc-client-ts
import { UserManager } from "oidc-client-ts";

export const users = new UserManager({
  authority: "${issuer}",
  client_id: "${clientId}",
  redirect_uri: "${redirectUri}",
  scope: "openid profile email",
});

// On the button:            await users.signinRedirect();
// At the redirect address:  const user = await users.signinCallback();`;

/** The part that all programs for Node share. Development servers have no TLS. */
const nodeClient = `const { DOORWARD_ISSUER, DOORWARD_CLIENT_ID, DOORWARD_CLIENT_SECRET, DOORWARD_REDIRECT_URI } = process.env;
const options = DOORWARD_ISSUER.startsWith("http://localhost") ? { execute: [client.allowInsecureRequests] } : {};
const config = await client.discovery(
  new URL(DOORWARD_ISSUER), DOORWARD_CLIENT_ID, DOORWARD_CLIENT_SECRET, undefined, options,
);`;

const express: Snippet = () => `// npm install express express-session openid-client
// node --env-file=.env app.mjs, with the variables above in .env
import express from "express";
import session from "express-session";
import * as client from "openid-client";

${nodeClient}
const redirect = new URL(DOORWARD_REDIRECT_URI);

const app = express();
app.use(session({ secret: crypto.randomUUID(), resave: false, saveUninitialized: false, cookie: { sameSite: "lax" } }));

app.get("/login", async (request, response) => {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  Object.assign(request.session, { verifier, state });
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: DOORWARD_REDIRECT_URI,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  });
  response.redirect(url.href);
});

app.get(redirect.pathname, async (request, response) => {
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, redirect), {
    pkceCodeVerifier: request.session.verifier,
    expectedState: request.session.state,
  });
  request.session.user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  response.redirect("/");
});

app.get("/", (request, response) => {
  const { user } = request.session;
  if (user === undefined) return response.redirect("/login");
  response.type("text").send("Hello " + (user.name ?? user.sub));
});

app.listen(Number(redirect.port));`;

const nodeServer: Snippet = () => `// npm install openid-client
import * as client from "openid-client";

${nodeClient}

const verifier = client.randomPKCECodeVerifier(); // keep it in the user's session
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: DOORWARD_REDIRECT_URI,
  scope: "openid profile email",
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});

// At the redirect address, with the address of the request:
const tokens = await client.authorizationCodeGrant(config, currentUrl, { pkceCodeVerifier: verifier });`;

const authJs: Snippet = () => `// npm install next-auth@beta
import NextAuth from "next-auth";

export const { handlers, auth, signIn } = NextAuth({
  providers: [
    {
      id: "doorward",
      name: "Doorward",
      type: "oidc",
      issuer: process.env.DOORWARD_ISSUER,
      clientId: process.env.DOORWARD_CLIENT_ID,
      clientSecret: process.env.DOORWARD_CLIENT_SECRET,
      checks: ["pkce", "state", "nonce"],
    },
  ],
});`;

const go: Snippet = () => `// go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2
provider, err := oidc.NewProvider(ctx, os.Getenv("DOORWARD_ISSUER"))
config := oauth2.Config{
	ClientID:     os.Getenv("DOORWARD_CLIENT_ID"),
	ClientSecret: os.Getenv("DOORWARD_CLIENT_SECRET"),
	RedirectURL:  os.Getenv("DOORWARD_REDIRECT_URI"),
	Endpoint:     provider.Endpoint(),
	Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
}
verifier := oauth2.GenerateVerifier()
url := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
// At the redirect address:
token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))`;

const python: Snippet = () => `# pip install authlib httpx
from authlib.integrations.starlette_client import OAuth

oauth = OAuth()
oauth.register(
    "doorward",
    server_metadata_url=os.environ["DOORWARD_ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["DOORWARD_CLIENT_ID"],
    client_secret=os.environ["DOORWARD_CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)`;

const spring: Snippet = () => `# application.yml, with spring-boot-starter-oauth2-client
spring.security.oauth2.client:
  provider.doorward.issuer-uri: \${DOORWARD_ISSUER}
  registration.doorward:
    client-id: \${DOORWARD_CLIENT_ID}
    client-secret: \${DOORWARD_CLIENT_SECRET}
    scope: openid, profile, email`;

const aspNet: Snippet = () => `// Microsoft.AspNetCore.Authentication.OpenIdConnect
builder.Services.AddAuthentication(options => options.DefaultChallengeScheme = "oidc")
    .AddCookie()
    .AddOpenIdConnect("oidc", options =>
    {
        options.Authority = Environment.GetEnvironmentVariable("DOORWARD_ISSUER");
        options.ClientId = Environment.GetEnvironmentVariable("DOORWARD_CLIENT_ID");
        options.ClientSecret = Environment.GetEnvironmentVariable("DOORWARD_CLIENT_SECRET");
        options.ResponseType = "code";
        options.UsePkce = true;
    });`;

const device: Snippet = ({ issuer, clientId }) => `curl ${issuer}/oauth/v2/device_authorization \\
  -d client_id=${clientId} -d scope="openid profile offline_access"`;

/** Asks the server whether a token is active. */
export const introspection: Snippet = ({ issuer }) => `curl ${issuer}/oauth/v2/introspect \\
  -u "$DOORWARD_CLIENT_ID:$DOORWARD_CLIENT_SECRET" -d token="$TOKEN"`;

const snippets: Readonly<Record<string, Snippet>> = {
  react: browser,
  vue: browser,
  angular: browser,
  next: authJs,
  sveltekit: authJs,
  express,
  hono: nodeServer,
  go,
  python,
  spring,
  aspnet: aspNet,
  device,
  api: introspection,
};

/** Returns the code that connects an application of a stack; undefined where there is no common library. */
export const snippetOf = ({ id }: Stack, connection: Connection): string | undefined => snippets[id]?.(connection);
