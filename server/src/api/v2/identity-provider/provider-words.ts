import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ProviderConfigSchema, ProviderType } from "@doorward/api/service/idp/v1/provider_pb";
import type { ProviderConfiguration } from "../../../domain/identity-provider/index.ts";

/** The configuration of a kind as a message. The second generation has the same messages, except for a field or two. */
export type ConfigMessage = NonNullable<MessageInitShape<typeof ProviderConfigSchema>["config"]>;

/** How a kind appears in requests and responses. Requests of both services have the same fields. */
export interface ProviderWords<Configuration extends ProviderConfiguration, Request> {
  readonly kind: Configuration["kind"];
  /** The number of the kind. The enumerations of idp.v2 and settings.v2 have the same, except for Apple and SAML. */
  readonly type: ProviderType;
  /** Builds the configuration of a request from the current one: values for which requests have no field stay. */
  readonly fromRequest: (request: Request, current?: Configuration) => Configuration;
  /** Returns the secret of a request, which is empty to keep the present one; `clientSecret` when absent. */
  readonly secretOf?: (request: Request) => string;
  readonly toMessage: (configuration: Configuration) => ConfigMessage;
}
