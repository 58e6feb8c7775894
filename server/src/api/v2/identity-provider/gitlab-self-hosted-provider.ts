import type { GitLabSelfHostedConfiguration } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

type GitLabSelfHostedRequest = Omit<GitLabSelfHostedConfiguration, "kind">;

export const gitlabSelfHostedWords: ProviderWords<GitLabSelfHostedConfiguration, GitLabSelfHostedRequest> = {
  kind: "gitlab_self_hosted",
  fromRequest: ({ issuer, clientId, scopes }) => ({ kind: "gitlab_self_hosted", issuer, clientId, scopes }),
  toMessage: ({ kind: _, scopes, ...rest }) => ({ case: "gitlabSelfHosted", value: { ...rest, scopes: [...scopes] } }),
};
