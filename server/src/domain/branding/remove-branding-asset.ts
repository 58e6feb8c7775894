import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type BrandingAssetSlot, writeSettings } from "../settings/index.ts";
import { keepAssets } from "./keep-assets.ts";
import { requireOwn } from "./require-own.ts";

/** Removes a picture or the font from the draft of a look. Throws when the slot is empty. */
export function removeBrandingAsset(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, slot }: { readonly organizationId: string; readonly slot: BrandingAssetSlot },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const details = await writeSettings(tx, {
      kind: "branding",
      ...(organizationId !== "" && { organizationId }),
      change: ({ draft, ...current }, isOwn) => {
        requireOwn(organizationId, isOwn);
        const base = draft ?? current;
        const { [slot]: removed, ...assets } = base.assets ?? {};
        if (removed === undefined) throw new Fault("not_found", "branding.file_not_found");
        return { ...current, draft: { ...base, assets } };
      },
    });
    await keepAssets(tx, organizationId);
    return details;
  });
}
