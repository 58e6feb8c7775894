import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

export const googleWords: ProviderWords<ConfigurationOf<"google">, Omit<ConfigurationOf<"google">, "kind">> = {
  kind: "google",
  type: ProviderType.GOOGLE,
  fromRequest: ({ clientId, scopes }) => ({ kind: "google", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "google", value: { clientId, scopes: [...scopes] } }),
};
