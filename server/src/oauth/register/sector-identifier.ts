import { JsonError, parseJson } from "../../base/json.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { type Outbound, OutboundError, parseTarget } from "../../base/outbound/index.ts";
import type { Call } from "../../call/index.ts";
import type { ClientMetadata } from "../client-metadata/client-metadata.ts";
import { type Members, optionalText } from "../client-metadata/members.ts";

interface Asked {
  /** Of the caller who was authenticated before: strangers to an endpoint have no request of ours sent. */
  readonly call: Call;
  readonly isForStranger: boolean;
}

/**
 * Checks `sector_identifier_uri` (OpenID Connect Dynamic Client Registration §5): the https address of a list that
 * contains every redirect URI, or the registration fails. Subjects are public here, so the sector has no effect; it is
 * stored and returned. The server of the list decides how long that takes, so the caller is confirmed afterwards.
 */
export async function withSectorIdentifier(
  { outbound }: { readonly outbound: Outbound },
  members: Members,
  metadata: ClientMetadata,
  { call, isForStranger }: Asked,
): Promise<ClientMetadata> {
  const address = optionalText(members, "sector_identifier_uri") ?? "";
  if (address === "") return metadata;
  if (parseTarget(address)?.protocol !== "https:") throw invalid("sector_identifier_uri is not an https address");
  const listed = await fetchList(outbound, { url: address, isForStranger });
  await call.confirm?.();
  if (!metadata.configuration.redirectUris.every((uri) => listed.includes(uri))) {
    throw invalid("the list at sector_identifier_uri does not have every redirect URI");
  }
  return { ...metadata, inert: { ...metadata.inert, sector_identifier_uri: address } };
}

/**
 * Returns the list at the address; empty for anything that is not a list, so that its server learns nothing about ours.
 */
async function fetchList(
  outbound: Outbound,
  asked: { readonly url: string; readonly isForStranger: boolean },
): Promise<readonly unknown[]> {
  try {
    const { status, body } = await outbound({
      ...asked,
      headers: { accept: "application/json" },
      maximumBytes: 102_400,
    });
    const list = status === 200 ? parseJson(body) : undefined;
    return Array.isArray(list) ? list : [];
  } catch (error) {
    if (error instanceof OutboundError || error instanceof JsonError) return [];
    throw error;
  }
}

const invalid = (description: string): OAuthError => new OAuthError("invalid_client_metadata", description);
