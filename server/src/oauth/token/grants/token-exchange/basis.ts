import {
  type ActiveToken,
  type FamilySource,
  listFamilySources,
  type TokenFamily,
} from "../../../../domain/token/index.ts";
import type { GrantContext } from "../../grant.ts";

/**
 * Whether the client proved the key that a token, or every refresh of its family, is bound to (RFC 9449). True for
 * tokens that are bound to none.
 */
export const isKeyProven = (
  { dpopThumbprint }: Pick<GrantContext, "dpopThumbprint">,
  token: Pick<ActiveToken, "keyThumbprint"> | undefined,
  family: Pick<TokenFamily, "keyThumbprint">,
): boolean => [token?.keyThumbprint, family.keyThumbprint].every((key) => key === undefined || key === dpopThumbprint);

/**
 * Returns everything that a token derived from this one depends on: the token itself, its family, and all that the
 * family depends on.
 */
export async function sourcesOfFamily(
  { deps, call }: Pick<GrantContext, "deps" | "call">,
  { familyId, exchangedFormat }: TokenFamily,
  tokenId: string | undefined,
): Promise<FamilySource[]> {
  const above =
    exchangedFormat === undefined ? [] : await listFamilySources(deps.database.read, call.instanceId, familyId);
  const token: FamilySource[] = tokenId === undefined ? [] : [{ kind: "access_token", id: tokenId }];
  return [...token, { kind: "family", id: familyId }, ...above];
}
