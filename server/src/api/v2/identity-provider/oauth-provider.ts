import type { OAuthConfiguration } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

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
