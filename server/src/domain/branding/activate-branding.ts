import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { writeSettings } from "../settings/index.ts";
import { keepAssets } from "./keep-assets.ts";
import { requireOwn } from "./require-own.ts";

/** Activates the draft of a branding, which users then see. Without a draft nothing changes. */
export function activateBranding(
  deps: { readonly database: Database },
  call: Call,
  { organizationId }: { readonly organizationId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const details = await writeSettings(tx, {
      kind: "branding",
      verb: "activated",
      ...(organizationId !== "" && { organizationId }),
      change: ({ draft, ...current }, isOwn) => {
        requireOwn(organizationId, isOwn);
        return { ...current, ...draft };
      },
    });
    await keepAssets(tx, organizationId);
    return details;
  });
}
