import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

type GitHubEnterpriseRequest = Omit<ConfigurationOf<"github_es">, "kind">;

export const githubEnterpriseWords: ProviderWords<ConfigurationOf<"github_es">, GitHubEnterpriseRequest> = {
  kind: "github_es",
  type: ProviderType.GITHUB_ES,
  fromRequest: ({ clientId, authorizationEndpoint, tokenEndpoint, userEndpoint, scopes }) => ({
    kind: "github_es",
    clientId,
    authorizationEndpoint,
    tokenEndpoint,
    userEndpoint,
    scopes,
  }),
  toMessage: ({ kind: _, scopes, ...rest }) => ({ case: "githubEs", value: { ...rest, scopes: [...scopes] } }),
};
