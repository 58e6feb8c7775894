import type { RequestContext } from "@doorward/api/service/object/v2/object_pb";
import { ResourceOwnerType } from "@doorward/api/service/settings/v2/settings_pb";
import type { Call } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { toDetails } from "./details.ts";

/** Settings of any kind, as they apply to a scope. */
interface FoundSettings {
  readonly source: "instance" | "organization";
  readonly details: Details;
}

/**
 * Returns the owner of the requested settings. Without a context it is the caller's own organization, which system
 * users do not have.
 */
export function readSettingsContext(
  call: Call,
  context: RequestContext | undefined,
): { readonly organizationId?: string } {
  const owner = context?.resourceOwner;
  if (owner?.case === "instance") return {};
  const organizationId = owner?.case === "orgId" ? owner.value : (call.caller?.organizationId ?? "");
  return organizationId === "" ? {} : { organizationId };
}

/** Returns settings together with their owner. */
export function answerSettings<Message extends object>({ source, details }: FoundSettings, settings: Message) {
  const resourceOwnerType = source === "organization" ? ResourceOwnerType.ORG : ResourceOwnerType.INSTANCE;
  return { details: toDetails(details), settings: { ...settings, resourceOwnerType } };
}
