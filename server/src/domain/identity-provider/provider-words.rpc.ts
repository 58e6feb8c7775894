import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ProviderConfigSchema } from "@doorward/api/service/idp/v1/provider_pb";
import type { ProviderConfiguration } from "./provider-kinds.ts";

/** The configuration of a kind as a message. The second generation has the same messages, but for a field or two. */
export type ConfigMessage = NonNullable<MessageInitShape<typeof ProviderConfigSchema>["config"]>;

/** How a kind is spoken of in requests and answers. Both services have requests of the same fields. */
export interface ProviderWords<Configuration extends ProviderConfiguration, Request> {
  readonly kind: Configuration["kind"];
  /** The configuration that a request makes of the one that there is: what requests have no word for stays. */
  readonly fromRequest: (request: Request, current?: Configuration) => Configuration;
  readonly toMessage: (configuration: Configuration) => ConfigMessage;
}
