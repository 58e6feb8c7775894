import type { OAuthConfiguration } from "./oauth-provider.ts";
import type { ProviderWords } from "./provider-words.rpc.ts";

type OAuthRequest = Omit<OAuthConfiguration, "kind">;

export const oauthWords: ProviderWords<OAuthConfiguration, OAuthRequest> = {
  kind: "oauth",
  fromRequest: ({ clientId, authorizationEndpoint, tokenEndpoint, userEndpoint, scopes, idAttribute, usePkce }) => ({
    kind: "oauth",
    clientId,
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
    scopes,
    idAttribute,
    usePkce,
  }),
  toMessage: ({ kind: _, scopes, ...rest }) => ({ case: "oauth", value: { ...rest, scopes: [...scopes] } }),
};
