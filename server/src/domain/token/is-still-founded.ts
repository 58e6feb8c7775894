import type { Reader } from "../../database/index.ts";
import { findUpheldImpersonation, type Impersonation } from "../impersonation/index.ts";
import { type Delegation, hasEndedSource, listDelegationsAbove, listFamilySources } from "./family-source.store.ts";
import { mayGoOnActing } from "./may-go-on-acting.ts";
import type { TokenFamily } from "./token-family.ts";

/**
 * Whether what a family depends on still holds: nothing that it was exchanged from has ended, the impersonation that it
 * was issued in is upheld, and the actors in it and in the families above it may still act. Every use of its tokens
 * asks this one function (introspection, UserInfo, our own APIs, exchange, refresh), so that none can forget it.
 * Families of other grants depend on nothing and cost nothing.
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
  const upheld: Impersonation[] = [];
  for (const { kind, id } of await listFamilySources(reader, instanceId, familyId)) {
    if (kind !== "impersonation") continue;
    const impersonation = await findUpheldImpersonation(reader, instanceId, id);
    if (impersonation === undefined) return false;
    upheld.push(impersonation);
  }
  // An administrator who signed in as the user needs more than one who acts for the user.
  const isUpheld = ({ actor: { sub }, userId: as }: Delegation): boolean =>
    upheld.some((one) => one.actorId === sub && one.userId === as);
  return mayGoOnActing(
    reader,
    instanceId,
    delegations.filter((delegation) => !isUpheld(delegation)),
  );
}
