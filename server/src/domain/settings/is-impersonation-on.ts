import type { Reader } from "../../database/index.ts";
import { readSettings } from "./settings-reader.ts";

/**
 * Whether the instance permits impersonation. Reads the rows, so that disabling it takes effect on every node
 * immediately.
 */
export async function isImpersonationOn(reader: Reader, instanceId: string): Promise<boolean> {
  return (await readSettings(reader, "security", { instanceId })).settings.enableImpersonation;
}
