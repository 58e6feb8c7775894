import type { Call } from "../../../../call/index.ts";
import type { Details } from "../../../../database/index.ts";
import { activateBranding, removeBrandingAsset, resetBranding, writeDraft } from "../../../../domain/branding/index.ts";
import { activeBranding, type BrandingAssetSlot, getSettings } from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import type { BrandingDeps } from "../../../v2/settings/branding.ts";
import { fromLabelRequest, type LabelRequest, toLabelPolicy } from "./label-policy.ts";

/**
 * The methods of the first generation for the branding of an organization, or of the instance when the organization id
 * is empty.
 */
export function labelMethods(deps: BrandingDeps) {
  const read = async (call: Call, organizationId: string, isPreview: boolean) => {
    const found = await getSettings(deps, call, {
      kind: "branding",
      ...(organizationId !== "" && { organizationId }),
    });
    // The draft of the instance is not shown to organizations that inherit from it.
    const isOwn = organizationId === "" || found.source === "organization";
    const branding = (isPreview && isOwn ? found.settings.draft : undefined) ?? activeBranding(found.settings);
    const policy = toLabelPolicy(found, branding, await deps.originOf(call.instanceId));
    return { policy, isDefault: found.source === "instance" };
  };
  const write = async (call: Call, organizationId: string, request: LabelRequest, isNew: boolean) =>
    answer(await writeDraft(deps, call, { organizationId, isNew, look: fromLabelRequest(request) }));
  return {
    get: (call: Call, organizationId: string) => read(call, organizationId, false),
    preview: (call: Call, organizationId: string) => read(call, organizationId, true),
    add: (call: Call, organizationId: string, request: LabelRequest) => write(call, organizationId, request, true),
    update: (call: Call, organizationId: string, request: LabelRequest) => write(call, organizationId, request, false),
    activate: async (call: Call, organizationId: string) =>
      answer(await activateBranding(deps, call, { organizationId })),
    remove: async (call: Call, organizationId: string, slot: BrandingAssetSlot) =>
      answer(await removeBrandingAsset(deps, call, { organizationId, slot })),
    reset: async (call: Call, organizationId: string) => answer(await resetBranding(deps, call, { organizationId })),
  };
}

// An organization that inherited already has no details of its own.
const answer = (details: Details | undefined) => (details === undefined ? {} : { details: toObjectDetails(details) });
