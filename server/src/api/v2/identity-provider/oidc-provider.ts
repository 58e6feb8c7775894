import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

interface OidcRequest {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly isIdTokenMapping: boolean;
  readonly usePkce: boolean;
}

const olderWords = { displayNameMapping: "unspecified", usernameMapping: "unspecified", styling: "none" } as const;

export const oidcWords: ProviderWords<ConfigurationOf<"oidc">, OidcRequest> = {
  kind: "oidc",
  type: ProviderType.OIDC,
  fromRequest: ({ issuer, clientId, scopes, isIdTokenMapping, usePkce }, current) => ({
    ...olderWords,
    ...current,
    kind: "oidc",
    issuer,
    clientId,
    scopes,
    isIdTokenMapping,
    usePkce,
  }),
  toMessage: ({ issuer, clientId, scopes, isIdTokenMapping, usePkce }) => ({
    case: "oidc",
    value: { issuer, clientId, scopes: [...scopes], isIdTokenMapping, usePkce },
  }),
};
