import { OAuthError } from "../base/oauth-error.ts";
import type { Client } from "../domain/application/index.ts";
import { leaveForProvider } from "../domain/identity-provider-logout/index.ts";
import { leadThroughPartners } from "../domain/logout-notice/index.ts";
import { matchPostLogoutRedirectUri } from "../domain/oidc-configuration/index.ts";
import { isSessionOfBrowser } from "../domain/session/index.ts";
import { signBrowserOut } from "../domain/sign-out/index.ts";
import { appendQuery, readBrowser, type WebHandler, type WebRequest, type WebResponse } from "../web/index.ts";
import type { AuthorizeDeps } from "./authorize/authorize-deps.ts";
import { customLoginUrl, findCustomLogin } from "./custom-login.ts";
import { type IdTokenHint, readIdTokenHint } from "./own-tokens.ts";
import { type Parameters, parseForm, parseParameters } from "./parameters.ts";
import { redirect } from "./response-mode/authorization-response.ts";

/**
 * Creates RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). With a genuine ID token of a session of this
 * very browser, exactly that session ends without confirmation. Otherwise a page asks the user (§2), because any site
 * could have sent the browser here, and an ID token is not a secret: a copy of it ends no session elsewhere. Browsers
 * are redirected only to addresses that the client registered.
 */
export function createEndSessionEndpoint(deps: AuthorizeDeps): WebHandler {
  return async (request) => {
    try {
      const parameters = readParameters(request);
      const hint = await readHint(deps, request, parameters);
      const target = await resolveTarget(deps, request, parameters, hint);
      const hinted = hint === undefined ? undefined : await findHintedSession(deps, request, hint);
      if (hinted === undefined) return await askPerson(deps, request, parameters, { hint, target });
      const ended = await deps.database.touch(request.call, (tx) => signBrowserOut(tx, hinted));
      const address = target ?? "/ui/logout/done";
      const after = { kind: "address", target: address } as const;
      const through = await leadThroughPartners(deps, request, { browserHash: hinted.browserHash, after });
      const leaving = { origin: request.instance.origin, ended, target: through?.address ?? address };
      const next = await leaveForProvider(deps, request.call, leaving);
      return redirect(next, through && { "set-cookie": [through.cookie] });
    } catch (error) {
      if (error instanceof OAuthError) return deps.renderUntrusted(request, error);
      throw error;
    }
  };
}

function readParameters(request: WebRequest): Parameters {
  return request.method === "POST"
    ? parseForm(request.header("content-type"), request.body)
    : parseParameters(request.query);
}

async function readHint(
  deps: AuthorizeDeps,
  { call, instance }: WebRequest,
  parameters: Parameters,
): Promise<IdTokenHint | undefined> {
  const token = parameters.get("id_token_hint");
  if (token === undefined) return undefined;
  const hint = await readIdTokenHint(deps, { instanceId: call.instanceId, issuer: instance.origin }, token);
  if (hint === undefined) throw new OAuthError("invalid_request", "id_token_hint is not an id token of this issuer");
  const clientId = parameters.get("client_id");
  if (clientId !== undefined && clientId !== hint.clientId) {
    throw new OAuthError("invalid_request", "client_id differs from the client of the id_token_hint");
  }
  return hint;
}

/**
 * Returns the address for the browser afterwards; undefined for our own page. Without a client the address is ignored.
 */
async function resolveTarget(
  deps: AuthorizeDeps,
  { call }: WebRequest,
  parameters: Parameters,
  hint: IdTokenHint | undefined,
): Promise<string | undefined> {
  const uri = parameters.get("post_logout_redirect_uri");
  const clientId = hint?.clientId ?? parameters.get("client_id");
  if (uri === undefined || clientId === undefined) return undefined;
  const client: Client | undefined = await deps.clients.find(call.instanceId, clientId);
  const matched = client === undefined ? undefined : matchPostLogoutRedirectUri(client, uri);
  if (matched === undefined) {
    throw new OAuthError("invalid_request", "post_logout_redirect_uri is not registered for the client");
  }
  const state = parameters.get("state");
  return state === undefined ? matched : appendQuery(matched, { state });
}

/** Returns this browser and the session of the ID token, if that is of its user and of this browser, ended or not. */
async function findHintedSession(
  deps: AuthorizeDeps,
  request: WebRequest,
  { sessionId, subject }: IdTokenHint,
): Promise<{ readonly browserHash: string; readonly sessionIds: readonly string[] } | undefined> {
  const browser = readBrowser(request);
  if (sessionId === undefined || browser === undefined) return undefined;
  const key = { sessionId, userId: subject, browserHash: browser.hash };
  return (await isSessionOfBrowser(deps.database.read, request.call.instanceId, key))
    ? { browserHash: browser.hash, sessionIds: [sessionId] }
    : undefined;
}

/** Redirects the browser to the confirmation page: ours, or that of the application's custom login. */
async function askPerson(
  deps: AuthorizeDeps,
  { call }: WebRequest,
  parameters: Parameters,
  { hint, target }: { readonly hint: IdTokenHint | undefined; readonly target: string | undefined },
): Promise<WebResponse> {
  const clientId = hint?.clientId ?? parameters.get("client_id");
  const client = clientId === undefined ? undefined : await deps.clients.find(call.instanceId, clientId);
  const base = await findCustomLogin(deps, call, client);
  const hints = pick(parameters, ["logout_hint", "ui_locales"]);
  if (base !== undefined) {
    // A custom login cannot check the address, so it receives a checked one, with its state.
    const checked = target === undefined ? {} : { post_logout_redirect: target };
    return redirect(customLoginUrl(base, "logout", { ...checked, ...hints }));
  }
  // Our page checks the address again afterwards; only the client's own parameters travel through the browser.
  const after = pick(parameters, target === undefined ? [] : ["post_logout_redirect_uri", "state"]);
  const query = new URLSearchParams({
    ...(clientId !== undefined && { client_id: clientId }),
    ...hints,
    ...after,
  }).toString();
  return redirect(query === "" ? "/ui/logout" : `/ui/logout?${query}`);
}

function pick(parameters: Parameters, names: readonly string[]): Readonly<Record<string, string>> {
  const found = names.flatMap((name) => {
    const value = parameters.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
