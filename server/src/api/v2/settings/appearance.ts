import type { MessageInitShape } from "@bufbuild/protobuf";
import { AutoLinkingOption } from "@doorward/api/service/idp/v2/idp_pb";
import { type IdentityProviderSchema, IdentityProviderType } from "@doorward/api/service/settings/v2/login_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { listActiveIdentityProviders, type ProviderSummary } from "../../../domain/identity-provider/index.ts";
import { type GetSettingsDeps, getSettings } from "../../../domain/settings/index.ts";
import { type Binding, bind, readSettingsContext, toListDetails } from "../../contract/index.ts";
import { toOptions, typeOf } from "../identity-provider/provider-message.ts";

/** SettingsService: which identity providers the login trusts. */
export const appearanceMethods = (deps: GetSettingsDeps): Binding =>
  bind(SettingsService, {
    async getActiveIdentityProviders(call, { ctx, creationAllowed, linkingAllowed, autoCreation, autoLinking }) {
      const scope = readSettingsContext(call, ctx);
      await getSettings(deps, call, { kind: "login", ...scope });
      const active = (
        await listActiveIdentityProviders(deps.database.read, { instanceId: call.instanceId, ...scope })
      ).map(toMessage);
      const isWanted = (wanted: boolean | undefined, is: boolean | undefined) => wanted === undefined || wanted === is;
      const identityProviders = active.filter(
        ({ options }) =>
          isWanted(creationAllowed, options?.isCreationAllowed) &&
          isWanted(linkingAllowed, options?.isLinkingAllowed) &&
          isWanted(autoCreation, options?.isAutoCreation) &&
          isWanted(autoLinking, options?.autoLinking !== AutoLinkingOption.UNSPECIFIED),
      );
      return { details: toListDetails(identityProviders.length, call.now), identityProviders };
    },
  });

function toMessage(provider: ProviderSummary): MessageInitShape<typeof IdentityProviderSchema> {
  const { identityProviderId: id, name, options, kind } = provider;
  // Here SAML and Apple have each other's numbers.
  const swapped = { saml: IdentityProviderType.SAML, apple: IdentityProviderType.APPLE } as const;
  const type = kind === "saml" || kind === "apple" ? swapped[kind] : typeOf(provider);
  const message = { id, name, type, options: toOptions(options) };
  // The fields and the other numbers are those of other services, but the generated types differ.
  return message as unknown as MessageInitShape<typeof IdentityProviderSchema>;
}
