import type { GitLabConfiguration } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

export const gitlabWords: ProviderWords<GitLabConfiguration, Omit<GitLabConfiguration, "kind">> = {
  kind: "gitlab",
  fromRequest: ({ clientId, scopes }) => ({ kind: "gitlab", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "gitlab", value: { clientId, scopes: [...scopes] } }),
};
