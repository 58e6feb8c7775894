import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type Branding, writeSettings } from "../settings/index.ts";
import { keepAssets } from "./keep-assets.ts";

export interface WriteDraft {
  /** Empty for the instance. */
  readonly organizationId: string;
  /** Rejects an organization that already has its own branding. */
  readonly isNew?: boolean;
  readonly look: Omit<Branding, "assets">;
}

/**
 * Writes a draft: users see the active branding until the draft is activated. Pictures and font stay as they are in the
 * draft.
 */
export function writeDraft(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, isNew = false, look }: WriteDraft,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const details = await writeSettings(tx, {
      kind: "branding",
      isNew,
      ...(organizationId !== "" && { organizationId }),
      change: (current, isOwn) => {
        // Organizations do not see the draft of the instance.
        const { assets = {} } = (isOwn ? current.draft : undefined) ?? current;
        return { ...current, draft: { ...look, assets } };
      },
    });
    await keepAssets(tx, organizationId);
    return details;
  });
}
