import {
  type ActiveToken,
  type FamilySource,
  listFamilySources,
  type TokenFamily,
} from "../../../../domain/token/index.ts";
import type { AuthenticatedClient } from "../../../client-authentication/authenticate-client.ts";
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
 * Whether the client has shown that it is itself: by its authentication or, as a public client, by the key that the
 * presented token is bound to. Anyone can write the id of a public client beside a token that they were sent (RFC 8693
 * §2.1), and a key that nothing is bound to says nothing either.
 */
export const hasShownItself = (client: Pick<AuthenticatedClient, "kind">, isTokenBound: boolean): boolean =>
  client.kind !== "public" || isTokenBound;

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
