import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

interface AppleRequest extends Omit<ConfigurationOf<"apple">, "kind"> {
  readonly privateKey: Uint8Array;
}

export const appleWords: ProviderWords<ConfigurationOf<"apple">, AppleRequest> = {
  kind: "apple",
  type: ProviderType.APPLE,
  fromRequest: ({ clientId, teamId, keyId, scopes }) => ({ kind: "apple", clientId, teamId, keyId, scopes }),
  secretOf: ({ privateKey }) => Buffer.from(privateKey).toString("utf8").trim(),
  toMessage: ({ clientId, teamId, keyId, scopes }) => ({
    case: "apple",
    value: { clientId, teamId, keyId, scopes: [...scopes] },
  }),
};
