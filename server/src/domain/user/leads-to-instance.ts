import type { Reader } from "../../database/index.ts";
import type { OriginOf } from "../instance/index.ts";
import { fillUrlTemplate, isPageOfInstance } from "../notification/index.ts";

/** Decides which addresses are the instance's. */
export interface LinkDeps {
  readonly originOf: OriginOf;
}

/**
 * Whether a link leads to a page of ours that takes codes, to a host that the instance trusts, or to its login: only
 * the user reads what it brings. The usual link does.
 */
export async function leadsToInstance(
  reader: Reader,
  { originOf }: LinkDeps,
  instanceId: string,
  template: string | undefined,
): Promise<boolean> {
  if (template === undefined || template === "") return true;
  const address = fillUrlTemplate(template, {});
  if (!URL.canParse(address)) return false;
  return isPageOfInstance(reader, { instanceId, origin: await originOf(instanceId) }, address);
}
