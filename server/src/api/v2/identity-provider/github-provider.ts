import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

export const githubWords: ProviderWords<ConfigurationOf<"github">, Omit<ConfigurationOf<"github">, "kind">> = {
  kind: "github",
  type: ProviderType.GITHUB,
  fromRequest: ({ clientId, scopes }) => ({ kind: "github", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "github", value: { clientId, scopes: [...scopes] } }),
};
