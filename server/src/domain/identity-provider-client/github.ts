import { isRecord } from "../../base/json.ts";
import type { Secret } from "../../base/secret.ts";
import type { ExchangedTokens } from "./exchange-code.ts";
import { type ExternalIdentity, readSubject, textOf } from "./external-identity.ts";
import { fetchJson } from "./fetch-json.ts";
import { createOAuthClient } from "./oauth.ts";
import type { CodeFlowClient, ProviderClientDeps } from "./provider-client.ts";

export interface GitHubProvider {
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** Endpoints of an Enterprise Server; those of github.com when absent. */
  readonly endpoints?: {
    readonly authorizationEndpoint: string;
    readonly tokenEndpoint: string;
    readonly userEndpoint: string;
  };
}

const publicEndpoints = {
  authorizationEndpoint: "https://github.com/login/oauth/authorize",
  tokenEndpoint: "https://github.com/login/oauth/access_token",
  userEndpoint: "https://api.github.com/user",
};

/**
 * Creates a client of GitHub or GitHub Enterprise Server. The number of the account identifies it: its login name can
 * be given up and taken by another account.
 */
export function createGitHubClient(deps: ProviderClientDeps, provider: GitHubProvider): CodeFlowClient {
  const { clientId, clientSecret, endpoints = publicEndpoints } = provider;
  const describe = async (user: Readonly<Record<string, unknown>>, tokens: ExchangedTokens) =>
    toIdentity(user, tokens, await findEmail(deps, `${endpoints.userEndpoint.replace(/\/$/, "")}/emails`, tokens));
  return createOAuthClient(deps, {
    ...endpoints,
    clientId,
    clientSecret,
    idAttribute: "id",
    hasPkce: true,
    authentication: "post",
    describe,
    scopes: provider.scopes,
  });
}

function toIdentity(
  user: Readonly<Record<string, unknown>>,
  tokens: ExchangedTokens,
  proven: string | undefined,
): ExternalIdentity {
  const subject = readSubject(user["id"]);
  const displayName = textOf(user["name"]);
  // The address of the public profile is self-declared; only the list of addresses tells which are verified.
  const email = proven ?? textOf(user["email"]);
  return {
    subject,
    displayName,
    email,
    isEmailVerified: proven !== undefined,
    raw: user,
    tokens,
    username: textOf(user["login"]) ?? subject,
    phone: undefined,
    isPhoneVerified: false,
    preferredLanguage: undefined,
    nickName: textOf(user["login"]),
    givenName: displayName?.split(" ", 1)[0],
    familyName: displayName === undefined ? undefined : (/ (.+)$/.exec(displayName)?.[1] ?? undefined),
  };
}

/** Finds the primary address if it is verified; without the scope for it there is none. */
async function findEmail(
  { outbound }: ProviderClientDeps,
  url: string,
  { accessToken }: ExchangedTokens,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${accessToken.reveal()}` };
  const { status, document } = await fetchJson(outbound, { url, headers });
  if (status !== 200 || !Array.isArray(document)) return undefined;
  const primary = document.filter(isRecord).find((each) => each["primary"] === true && each["verified"] === true);
  return textOf(primary?.["email"]);
}
