import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

export const gitlabWords: ProviderWords<ConfigurationOf<"gitlab">, Omit<ConfigurationOf<"gitlab">, "kind">> = {
  kind: "gitlab",
  type: ProviderType.GITLAB,
  fromRequest: ({ clientId, scopes }) => ({ kind: "gitlab", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "gitlab", value: { clientId, scopes: [...scopes] } }),
};
