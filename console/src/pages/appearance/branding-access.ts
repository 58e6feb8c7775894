import { createClient, type Transport } from "@connectrpc/connect";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { LabelPolicy } from "@doorward/api/service/policy/v1/policy_pb";

export const assetSlots = ["logo", "logoDark", "icon", "iconDark", "font"] as const;
export type AssetSlot = (typeof assetSlots)[number];

/** Paths of the files of a branding, below `/assets/v1/<level>/policy/label/`. */
export const assetPaths: Readonly<Record<AssetSlot, string>> = {
  logo: "logo",
  logoDark: "logo/dark",
  icon: "icon",
  iconDark: "icon/dark",
  font: "font",
};

/** The look that users see, and the one that is prepared. */
interface Looks {
  readonly active: LabelPolicy | undefined;
  readonly draft: LabelPolicy | undefined;
}

/** Where a branding is read from and written to. */
export interface BrandingAccess {
  readonly read: () => Promise<Looks>;
  readonly save: (values: object, isDefault: boolean) => Promise<unknown>;
  readonly activate: () => Promise<unknown>;
  readonly remove: (slot: AssetSlot) => Promise<unknown>;
  /** Goes back to what the instance has; absent at the instance. */
  readonly reset?: () => Promise<unknown>;
  readonly level: "instance" | "org";
  readonly permission: string;
}

/** Returns how the branding of an organization, or of the instance, is read and written. */
export function brandingAccess(transport: Transport, organizationId: string | undefined): BrandingAccess {
  if (organizationId === undefined) {
    const admin = createClient(AdminService, transport);
    return {
      read: () => looksOf(admin.getLabelPolicy({}), admin.getPreviewLabelPolicy({})),
      save: (values) => admin.updateLabelPolicy(values),
      activate: () => admin.activateLabelPolicy({}),
      remove: (slot) =>
        ({
          logo: admin.removeLabelPolicyLogo,
          logoDark: admin.removeLabelPolicyLogoDark,
          icon: admin.removeLabelPolicyIcon,
          iconDark: admin.removeLabelPolicyIconDark,
          font: admin.removeLabelPolicyFont,
        })[slot]({}),
      level: "instance",
      permission: "iam.policy.write",
    };
  }
  const own = createClient(ManagementService, transport);
  return {
    read: () => looksOf(own.getLabelPolicy({}), own.getPreviewLabelPolicy({})),
    save: (values, isDefault) => (isDefault ? own.addCustomLabelPolicy(values) : own.updateCustomLabelPolicy(values)),
    activate: () => own.activateCustomLabelPolicy({}),
    remove: (slot) =>
      ({
        logo: own.removeCustomLabelPolicyLogo,
        logoDark: own.removeCustomLabelPolicyLogoDark,
        icon: own.removeCustomLabelPolicyIcon,
        iconDark: own.removeCustomLabelPolicyIconDark,
        font: own.removeCustomLabelPolicyFont,
      })[slot]({}),
    reset: () => own.resetLabelPolicyToDefault({}),
    level: "org",
    permission: "policy.write",
  };
}

type Answer = Promise<{ readonly policy?: LabelPolicy | undefined }>;

async function looksOf(active: Answer, draft: Answer): Promise<Looks> {
  const [now, next] = await Promise.all([active, draft]);
  return { active: now.policy, draft: next.policy };
}
