import { reach } from "../api-client.ts";
import { CommandError } from "../command-error.ts";
import { discover } from "../sign-in/oauth-client.ts";
import type { SavedLogin } from "./saved-login.ts";

/** Has the server end a login, with all of its tokens (RFC 7009). */
export async function revokeLogin({ issuer, clientId, refreshToken }: SavedLogin): Promise<void> {
  const { revocationEndpoint } = await discover(issuer);
  if (revocationEndpoint === undefined) throw new CommandError(`${issuer} revokes no tokens`);
  const response = await reach(revocationEndpoint, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, token: refreshToken.reveal(), token_type_hint: "refresh_token" }),
  });
  if (!response.ok) throw new CommandError(`${issuer} did not revoke the tokens (HTTP ${response.status})`);
}
