import type { GitHubConfiguration } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

export const githubWords: ProviderWords<GitHubConfiguration, Omit<GitHubConfiguration, "kind">> = {
  kind: "github",
  fromRequest: ({ clientId, scopes }) => ({ kind: "github", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "github", value: { clientId, scopes: [...scopes] } }),
};
