import { AutoLinkingOption } from "@doorward/api/service/idp/v2/idp_pb";
import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { type GetSettingsDeps, getSettings } from "../../../domain/settings/index.ts";
import { answerSettings, type Binding, bind, readSettingsContext, toListDetails } from "../../contract/index.ts";
import type { LoginProviders } from "../../v1/common/settings/login-provider.ts";

/** SettingsService: where the login leads, and which identity providers it trusts. */
export const appearanceMethods = (deps: GetSettingsDeps & { readonly loginProviders: LoginProviders }): Binding =>
  bind(SettingsService, {
    async getLegalAndSupportSettings(call, { ctx }) {
      const found = await getSettings(deps, call, { kind: "legal_support", ...readSettingsContext(call, ctx) });
      return answerSettings(found, found.settings);
    },
    async getActiveIdentityProviders(call, { ctx, creationAllowed, linkingAllowed, autoCreation, autoLinking }) {
      const place = readSettingsContext(call, ctx);
      await getSettings(deps, call, { kind: "login", ...place });
      const active = await deps.loginProviders.listActive({ instanceId: call.instanceId, ...place });
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
