import type { GoogleConfiguration } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

export const googleWords: ProviderWords<GoogleConfiguration, Omit<GoogleConfiguration, "kind">> = {
  kind: "google",
  fromRequest: ({ clientId, scopes }) => ({ kind: "google", clientId, scopes }),
  toMessage: ({ clientId, scopes }) => ({ case: "google", value: { clientId, scopes: [...scopes] } }),
};
