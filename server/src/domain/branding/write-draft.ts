import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type Branding, writeSettings } from "../settings/index.ts";
import { keepAssets } from "./keep-assets.ts";

export interface WriteDraft {
  /** Empty for the instance. */
  readonly organizationId: string;
  /** Refuses an organization that has a look of its own already. */
  readonly isNew?: boolean;
  readonly look: Omit<Branding, "assets">;
}

/** Prepares a look: what people see stays as it is until it is activated. Pictures and font stay what they are in the draft. */
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
        // What the instance prepares is nothing to its organizations.
        const { assets = {} } = (isOwn ? current.draft : undefined) ?? current;
        return { ...current, draft: { ...look, assets } };
      },
    });
    await keepAssets(tx, organizationId);
    return details;
  });
}
