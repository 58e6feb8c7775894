import type { Reader } from "../../database/index.ts";
import { hasEndedSource, listDelegationsAbove, listFamilySources } from "./family-source.store.ts";
import { mayGoOnActing } from "./may-go-on-acting.ts";
import { isOfImpersonation, type TokenFamily } from "./token-family.ts";

/**
 * Whether what a family depends on still holds: nothing that it was exchanged from has ended, and the actors in it and
 * in the families above it may still act. Every use of its tokens asks this one function (introspection, UserInfo, our
 * own APIs, exchange, refresh), so that none can forget it. Families of other grants depend on nothing and cost
 * nothing.
 */
export async function isStillFounded(
  reader: Reader,
  instanceId: string,
  { familyId, userId, actor, exchangedFormat }: TokenFamily,
): Promise<boolean> {
  if (exchangedFormat === undefined && actor === undefined) return true;
  if (await hasEndedSource(reader, instanceId, familyId)) return false;
  const own = actor === undefined ? [] : [{ userId: userId ?? "", actor }];
  const delegations = [...own, ...(await listDelegationsAbove(reader, instanceId, familyId))];
  if (delegations.length === 0) return true;
  const sources = await listFamilySources(reader, instanceId, familyId);
  // An administrator who signed in as the user has to have all permissions of the user, for as long as it lasts.
  const rule = isOfImpersonation(sources) ? "sign_in_as" : "act_for";
  return mayGoOnActing(reader, instanceId, delegations, rule);
}
