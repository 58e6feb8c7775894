import type { GitHubEnterpriseConfiguration } from "./github-enterprise-provider.ts";
import type { ProviderWords } from "./provider-words.rpc.ts";

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
