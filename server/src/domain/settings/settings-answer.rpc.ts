import type { RequestContext } from "@doorward/api/service/object/v2/object_pb";
import { ResourceOwnerType } from "@doorward/api/service/settings/v2/settings_pb";
import type { Call } from "../../call/index.ts";
import { toDetails } from "../../contract/index.ts";
import type { EffectiveSettings } from "./settings.ts";

/** Whose settings a request asks for. Without a context the caller's own organization is meant. System users have none. */
export function readContext(call: Call, context: RequestContext | undefined): { readonly organizationId?: string } {
  const owner = context?.resourceOwner;
  if (owner?.case === "instance") return {};
  const organizationId = owner?.case === "orgId" ? owner.value : (call.caller?.organizationId ?? "");
  return organizationId === "" ? {} : { organizationId };
}

/** Settings with whose they are. */
export function answer<Message extends object>({ source, details }: EffectiveSettings<object>, settings: Message) {
  const resourceOwnerType = source === "organization" ? ResourceOwnerType.ORG : ResourceOwnerType.INSTANCE;
  return { details: toDetails(details), settings: { ...settings, resourceOwnerType } };
}
