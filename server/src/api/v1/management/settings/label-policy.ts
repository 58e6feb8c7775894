import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../../../call/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import type { BrandingDeps } from "../../../v2/settings/branding.ts";
import { labelMethods } from "../../common/settings/label-methods.ts";

/** ManagementService: how pages and mails of the organization of the call look. */
export function managementLabelPolicyMethods(deps: BrandingDeps): Binding {
  const label = labelMethods(deps);
  return bind(ManagementService, {
    getLabelPolicy: (call) => label.get(call, ofCall(call)),
    getPreviewLabelPolicy: (call) => label.preview(call, ofCall(call)),
    getDefaultLabelPolicy: async (call) => ({ policy: (await label.get(call, "")).policy }),
    addCustomLabelPolicy: (call, request) => label.add(call, ofCall(call), request),
    updateCustomLabelPolicy: (call, request) => label.update(call, ofCall(call), request),
    activateCustomLabelPolicy: (call) => label.activate(call, ofCall(call)),
    removeCustomLabelPolicyLogo: (call) => label.remove(call, ofCall(call), "logo"),
    removeCustomLabelPolicyLogoDark: (call) => label.remove(call, ofCall(call), "logoDark"),
    removeCustomLabelPolicyIcon: (call) => label.remove(call, ofCall(call), "icon"),
    removeCustomLabelPolicyIconDark: (call) => label.remove(call, ofCall(call), "iconDark"),
    removeCustomLabelPolicyFont: (call) => label.remove(call, ofCall(call), "font"),
    resetLabelPolicyToDefault: (call) => label.reset(call, ofCall(call)),
  });
}

const ofCall = ({ organizationId = "" }: Call): string => organizationId;
