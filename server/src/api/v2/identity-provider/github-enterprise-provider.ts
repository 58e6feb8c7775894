import type { GitHubEnterpriseConfiguration } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

type GitHubEnterpriseRequest = Omit<GitHubEnterpriseConfiguration, "kind">;

export const githubEnterpriseWords: ProviderWords<GitHubEnterpriseConfiguration, GitHubEnterpriseRequest> = {
  kind: "github_es",
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
