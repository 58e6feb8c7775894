import type { Reader } from "../../database/index.ts";
import { fillUrlTemplate, isLinkRegistered } from "../notification/index.ts";

/** Whether a link leads to a page of the instance, a host that it trusts, or its login. The usual link does. */
export async function leadsToInstance(
  reader: Reader,
  instanceId: string,
  template: string | undefined,
): Promise<boolean> {
  if (template === undefined || template === "") return true;
  const address = fillUrlTemplate(template, {});
  return URL.canParse(address) && isLinkRegistered(reader, instanceId, { address, organizationIds: [] });
}
