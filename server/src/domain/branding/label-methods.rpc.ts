import type { Call } from "../../call/index.ts";
import { toObjectDetails } from "../../contract/index.ts";
import type { Details } from "../../database/index.ts";
import { activeBranding, type BrandingAssetSlot, type GetSettingsDeps, getSettings } from "../settings/index.ts";
import { activateBranding } from "./activate-branding.ts";
import { fromLabelRequest, type LabelRequest, toLabelPolicy } from "./label-policy.rpc.ts";
import { removeBrandingAsset } from "./remove-branding-asset.ts";
import { resetBranding } from "./reset-branding.ts";
import { writeDraft } from "./write-draft.ts";

export interface LabelDeps extends GetSettingsDeps {
  /** Public origin of an instance. */
  readonly originOf: (instanceId: string) => Promise<string>;
}

/**
 * The methods of the first generation on the look of an organization, or of the instance when the organization's id is
 * empty.
 */
export function labelMethods(deps: LabelDeps) {
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
