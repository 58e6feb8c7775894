import { SettingsService } from "@doorward/api/service/settings/v2/settings_service_pb";
import { resetBranding, updateBranding } from "../../../domain/branding/index.ts";
import { type GetSettingsDeps, getSettings } from "../../../domain/settings/index.ts";
import { type Binding, bind, readSettingsContext } from "../../contract/index.ts";
import { brandingDocument } from "./documents.ts";
import { answerDocument, resetDocument, updateDocument } from "./settings-document.ts";

/** SettingsService: how pages and mails look. */
export function brandingMethods(deps: BrandingDeps): Binding {
  const branding = brandingDocument(deps);
  return bind(SettingsService, {
    async getBrandingSettings(call, { ctx }) {
      const scope = readSettingsContext(call, ctx);
      const found = await getSettings(deps, call, { kind: "branding", ...scope });
      return answerDocument(deps, { instanceId: call.instanceId, ...scope }, branding, found);
    },
    updateBrandingSettings: (call, request) =>
      updateDocument(deps, call, request, branding, (by, change) => updateBranding(deps, by, change)),
    resetBrandingSettings: (call, request) =>
      resetDocument(deps, call, request, branding, (by, scope) => resetBranding(deps, by, scope)),
  });
}

export interface BrandingDeps extends GetSettingsDeps {
  /** Public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}
