import { shownLoginName } from "../../base/names/shown-login-name.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeUser, readUser, requireHuman } from "../user/index.ts";
import { listReadyCredentials } from "./key-credential.store.ts";
import { userHandleOf } from "./key-credential.ts";

/** What an authenticator may be told of a user (WebAuthn Level 3 §5.1.10): ids are base64url. */
export interface AcceptedCredentials {
  readonly userHandle: string;
  readonly name: string;
  readonly displayName: string;
  readonly credentialIds: readonly string[];
}

/** Lists the passkeys and security keys of a user for a relying party, for callers who may read the user. */
export async function listAcceptedCredentials(
  { database: { read } }: { readonly database: Database },
  call: Call,
  key: { readonly userId: string; readonly relyingPartyId: string },
): Promise<AcceptedCredentials> {
  const { userId, preferredLoginName, displayName } = requireHuman(
    await authorizeUser(read, call, key.userId, readUser),
  );
  const credentials = await listReadyCredentials(read, call.instanceId, key);
  return {
    userHandle: userHandleOf(userId),
    name: shownLoginName(preferredLoginName),
    displayName,
    credentialIds: credentials.map(({ webauthnId }) => webauthnId),
  };
}
