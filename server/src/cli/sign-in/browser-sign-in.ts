import { createHash } from "node:crypto";
import { seconds } from "../../base/clock.ts";
import { isLoopbackHost } from "../../base/outbound/index.ts";
import { systemRandom } from "../../base/random.ts";
import { tell } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { discover, type OAuthClient, requestToken, type TokenAnswer } from "./oauth-client.ts";
import { openBrowser } from "./open-browser.ts";
import { listenForReturn } from "./return-listener.ts";

export interface BrowserSignIn {
  readonly scope: string;
  /** Redirect address of the application, on this machine. */
  readonly redirectUri: string | undefined;
  readonly opensBrowser: boolean;
}

const patience = seconds(300);

/** Signs the user in with the browser: authorization code with PKCE, returning to this process (RFC 8252). */
export async function signInWithBrowser(
  client: OAuthClient,
  { scope, redirectUri, opensBrowser }: BrowserSignIn,
): Promise<TokenAnswer> {
  const { authorizationEndpoint } = await discover(client.issuer);
  const [state, nonce, verifier] = [random(), random(), random()];
  const listener = await listenForReturn(requireLoopback(redirectUri), state);
  try {
    const address = new URL(authorizationEndpoint);
    const parameters = {
      client_id: client.clientId,
      response_type: "code",
      scope,
      redirect_uri: listener.redirectUri,
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    tell(`Sign in at\n  ${address.href}\nwithin 5 minutes.`);
    if (opensBrowser) openBrowser(address.href);
    const returned = await listener.wait(patience);
    return await requestToken(
      client,
      {
        grant_type: "authorization_code",
        code: codeOf(returned, client.issuer),
        redirect_uri: listener.redirectUri,
        code_verifier: verifier,
      },
      nonce,
    );
  } finally {
    listener.close();
  }
}

const random = (): string => systemRandom(32).toString("base64url");

function codeOf(returned: URLSearchParams, issuer: string): string {
  // RFC 9207: a response from another server is not accepted.
  const from = returned.get("iss");
  if (from !== null && from !== issuer) throw new CommandError(`the answer came from ${from}, not from ${issuer}`);
  const error = returned.get("error");
  if (error !== null) {
    const description = returned.get("error_description");
    throw new CommandError(`the sign-in ended with ${error}${description === null ? "" : `: ${description}`}`);
  }
  const code = returned.get("code");
  if (code === null) throw new CommandError("the sign-in returned no code");
  return code;
}

function requireLoopback(redirectUri: string | undefined): string {
  if (redirectUri === undefined) {
    const fix = "name one that the application has with --redirect-uri; a service account uses --client-credentials";
    throw new CommandError("the application has no redirect address", { fix });
  }
  const url = URL.parse(redirectUri);
  if (url?.protocol === "http:" && isLoopbackHost(url.hostname)) return redirectUri;
  throw new CommandError(`${redirectUri} is not on this machine`, {
    fix: "name a loopback address of the application with --redirect-uri, or make one: doorward app create cli --type native",
  });
}
