import { ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ConfigurationOf } from "../../../domain/identity-provider/index.ts";
import type { ProviderWords } from "./provider-words.ts";

interface JwtRequest {
  readonly issuer: string;
  readonly jwtEndpoint: string;
  readonly keysEndpoint: string;
  readonly headerName: string;
  readonly audience: string;
}

export const jwtWords: ProviderWords<ConfigurationOf<"jwt">, JwtRequest> = {
  kind: "jwt",
  type: ProviderType.JWT,
  fromRequest: ({ issuer, jwtEndpoint, keysEndpoint, headerName, audience }, current) => ({
    styling: "none",
    ...current,
    kind: "jwt",
    issuer,
    jwtEndpoint,
    headerName,
    audience,
    // Only an update may omit it.
    keysEndpoint: keysEndpoint || (current?.keysEndpoint ?? ""),
  }),
  toMessage: ({ issuer, jwtEndpoint, keysEndpoint, headerName, audience }) => ({
    case: "jwt",
    value: { issuer, jwtEndpoint, keysEndpoint, headerName, audience },
  }),
};
