import type { GitLabConfiguration } from "./gitlab-provider.ts";
import type { ProviderWords } from "./provider-words.rpc.ts";

export const gitlabWords: ProviderWords<GitLabConfiguration, Omit<GitLabConfiguration, "kind">> = {
  kind: "gitlab",
  fromRequest: ({ clientId, scopes }) => ({ kind: "gitlab", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "gitlab", value: { clientId, scopes: [...scopes] } }),
};
