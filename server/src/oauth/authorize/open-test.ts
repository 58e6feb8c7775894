import { OAuthError } from "../../base/oauth-error.ts";
import { consolePaths } from "../../domain/application/index.ts";
import { defaultOidcConfiguration, matchRedirectUri, type RedirectUri } from "../../domain/oidc-configuration/index.ts";
import { findTestRequest, testReferencePrefix } from "../../domain/test-sign-in/index.ts";
import { readBrowser, type WebRequest } from "../../web/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { ResponseTarget } from "./answer.ts";
import type { BroughtRequest } from "./asked.ts";
import { readUiLocales } from "./read-ui-locales.ts";

/** A prepared request and where its answer goes. */
export interface OpenedTest extends BroughtRequest {
  readonly testId: string;
  readonly target: ResponseTarget & { readonly redirectUri: RedirectUri };
}

/**
 * Opens a request that an administrator prepared to try an application; undefined for every other one. Parameters
 * beside the reference are ignored. Its redirect URI is the page of the console where tests end, which counts for such
 * a request alone. Throws `invalid_request_uri`, which is shown on a page, in every browser but the administrator's.
 */
export async function openTest(
  deps: OAuthDeps,
  request: WebRequest,
  { parameters: sent, ...brought }: BroughtRequest,
): Promise<OpenedTest | undefined> {
  const requestUri = sent.get("request_uri");
  if (requestUri?.startsWith(testReferencePrefix) !== true) return undefined;
  const { call, instance } = request;
  const clientId = sent.get("client_id") ?? "";
  const browserHash = readBrowser(request)?.hash;
  const found = await findTestRequest(deps, call, { requestUri, clientId, browserHash });
  const redirectUri = found && ownTarget(instance.origin, found.parameters.get("redirect_uri") ?? "");
  if (found === undefined || redirectUri === undefined) {
    throw new OAuthError(
      "invalid_request_uri",
      "the test sign-in is unknown, was answered, is too old or was prepared in another browser",
    );
  }
  const { testId, parameters } = found;
  const state = parameters.get("state");
  const uiLocales = readUiLocales(parameters);
  return {
    ...brought,
    parameters,
    testId,
    target: { redirectUri, responseMode: "query", uiLocales, testId, ...(state !== undefined && { state }) },
  };
}

/** Matches the address by the rules for those of a web application that has no other. */
const ownTarget = (origin: string, redirectUri: string): RedirectUri | undefined =>
  matchRedirectUri({ ...defaultOidcConfiguration, redirectUris: [origin + consolePaths.tested] }, redirectUri, "code");
