import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type SettingsChange, writeSettings } from "../settings/index.ts";
import { keepAssets } from "./keep-assets.ts";

/** Changes a part of the active look, which users see at once. A draft and the uploads stay. */
export function updateBranding(
  deps: { readonly database: Database },
  call: Call,
  { change, ...input }: Omit<SettingsChange<"branding">, "isNew" | "verb">,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const details = await writeSettings(tx, {
      ...input,
      verb: "activated",
      change: (current, isOwn) => {
        const { draft, ...active } = change(current, isOwn);
        // Organizations do not see the draft of the instance.
        return draft !== undefined && isOwn ? { ...active, draft } : active;
      },
    });
    await keepAssets(tx, input.organizationId ?? "");
    return details;
  });
}
