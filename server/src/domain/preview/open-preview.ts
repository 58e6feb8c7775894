import { inflateRawSync } from "node:zlib";
import { minutes } from "../../base/clock.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { type Vault, VaultError } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { OpenedPreview } from "./preview.ts";

const lifetime = minutes(5);

/** Opens a sealed description; undefined for what was not sealed here, or has expired. */
export function openPreview(
  { vault }: { readonly vault: Pick<Vault, "decrypt"> },
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  sealed: string,
): OpenedPreview | undefined {
  try {
    const packed = vault.decrypt(sealed, sealContext(instanceId)).reveal();
    const content = parseJson(inflateRawSync(Buffer.from(packed, "base64url")).toString());
    if (!isRecord(content) || typeof content["createdAt"] !== "number") return undefined;
    const isCurrent = Math.abs(now - content["createdAt"]) <= lifetime;
    // The vault opens only what was sealed for this purpose.
    return isCurrent ? (content as unknown as OpenedPreview) : undefined;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** Names what the descriptions of an instance are sealed for. */
export const sealContext = (instanceId: string): string => `previews/${instanceId}`;
