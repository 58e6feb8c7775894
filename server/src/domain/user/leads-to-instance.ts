import type { Reader } from "../../database/index.ts";
import { fillUrlTemplate, isPageOfInstance } from "../notification/index.ts";

/**
 * Whether a link leads to a page of ours that takes codes, to a host that the instance trusts, or to its login: only the
 * user reads what it brings. The usual link does.
 */
export async function leadsToInstance(
  reader: Reader,
  instanceId: string,
  template: string | undefined,
): Promise<boolean> {
  if (template === undefined || template === "") return true;
  const address = fillUrlTemplate(template, {});
  return URL.canParse(address) && (await isPageOfInstance(reader, instanceId, address));
}
