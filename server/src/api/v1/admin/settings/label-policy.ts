import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type Binding, bind } from "../../../contract/index.ts";
import type { BrandingDeps } from "../../../v2/settings/branding.ts";
import { labelMethods } from "../../common/settings/label-methods.ts";

/** AdminService: how pages and mails of the instance look. */
export function adminLabelPolicyMethods(deps: BrandingDeps): Binding {
  const label = labelMethods(deps);
  return bind(AdminService, {
    getLabelPolicy: async (call) => ({ policy: (await label.get(call, "")).policy }),
    getPreviewLabelPolicy: async (call) => ({ policy: (await label.preview(call, "")).policy }),
    updateLabelPolicy: (call, request) => label.update(call, "", request),
    activateLabelPolicy: (call) => label.activate(call, ""),
    removeLabelPolicyLogo: (call) => label.remove(call, "", "logo"),
    removeLabelPolicyLogoDark: (call) => label.remove(call, "", "logoDark"),
    removeLabelPolicyIcon: (call) => label.remove(call, "", "icon"),
    removeLabelPolicyIconDark: (call) => label.remove(call, "", "iconDark"),
    removeLabelPolicyFont: (call) => label.remove(call, "", "font"),
  });
}
