import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

type OAuthRequest = Omit<ConfigurationOf<"oauth">, "kind">;

export const oauthWords: ProviderWords<ConfigurationOf<"oauth">, OAuthRequest> = {
  kind: "oauth",
  type: ProviderType.OAUTH,
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
