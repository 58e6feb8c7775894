import type { Transport } from "@connectrpc/connect";
import type { LabelPolicy } from "@doorward/api/service/policy/v1/policy_pb";
import { loadAdmin, loadManagement } from "../../api/first-version.ts";

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
    const load = () => loadAdmin(transport);
    return {
      read: async () => {
        const admin = await load();
        return looksOf(admin.getLabelPolicy({}), admin.getPreviewLabelPolicy({}));
      },
      save: async (values) => (await load()).updateLabelPolicy(values),
      activate: async () => (await load()).activateLabelPolicy({}),
      remove: async (slot) => {
        const admin = await load();
        return {
          logo: admin.removeLabelPolicyLogo,
          logoDark: admin.removeLabelPolicyLogoDark,
          icon: admin.removeLabelPolicyIcon,
          iconDark: admin.removeLabelPolicyIconDark,
          font: admin.removeLabelPolicyFont,
        }[slot]({});
      },
      level: "instance",
      permission: "iam.policy.write",
    };
  }
  const load = () => loadManagement(transport);
  return {
    read: async () => {
      const own = await load();
      return looksOf(own.getLabelPolicy({}), own.getPreviewLabelPolicy({}));
    },
    save: async (values, isDefault) => {
      const own = await load();
      return isDefault ? own.addCustomLabelPolicy(values) : own.updateCustomLabelPolicy(values);
    },
    activate: async () => (await load()).activateCustomLabelPolicy({}),
    remove: async (slot) => {
      const own = await load();
      return {
        logo: own.removeCustomLabelPolicyLogo,
        logoDark: own.removeCustomLabelPolicyLogoDark,
        icon: own.removeCustomLabelPolicyIcon,
        iconDark: own.removeCustomLabelPolicyIconDark,
        font: own.removeCustomLabelPolicyFont,
      }[slot]({});
    },
    reset: async () => (await load()).resetLabelPolicyToDefault({}),
    level: "org",
    permission: "policy.write",
  };
}

type Answer = Promise<{ readonly policy?: LabelPolicy | undefined }>;

async function looksOf(active: Answer, draft: Answer): Promise<Looks> {
  const [now, next] = await Promise.all([active, draft]);
  return { active: now.policy, draft: next.policy };
}
