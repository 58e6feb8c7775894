import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

type GitLabSelfHostedRequest = Omit<ConfigurationOf<"gitlab_self_hosted">, "kind">;

export const gitlabSelfHostedWords: ProviderWords<ConfigurationOf<"gitlab_self_hosted">, GitLabSelfHostedRequest> = {
  kind: "gitlab_self_hosted",
  type: ProviderType.GITLAB_SELF_HOSTED,
  fromRequest: ({ issuer, clientId, scopes }) => ({ kind: "gitlab_self_hosted", issuer, clientId, scopes }),
  toMessage: ({ kind: _, scopes, ...rest }) => ({ case: "gitlabSelfHosted", value: { ...rest, scopes: [...scopes] } }),
};
