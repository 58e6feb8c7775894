import { seconds, systemClock } from "../../base/clock.ts";
import { Secret } from "../../base/secret.ts";
import { CommandError } from "../command-error.ts";
import { requestToken, type TokenAnswer, TokenRefused } from "../sign-in/oauth-client.ts";
import { withLoginLock } from "./login-lock.ts";
import { readLogin, removeLogin, type SavedLogin, saveLogin } from "./saved-login.ts";

// A request that is sent in the last moments of a token would arrive too late.
const spare = seconds(30);

/** Returns an access token of a login that is valid for some time yet, refreshed where it is not. */
export async function accessOfLogin(issuer: string): Promise<Secret> {
  const login = await requireLogin(issuer);
  if (isFresh(login)) return login.accessToken;
  return withLoginLock(issuer, async () => {
    // Another command may have refreshed it meanwhile.
    const present = await requireLogin(issuer);
    if (isFresh(present)) return present.accessToken;
    const refreshed = toLogin(present, await refresh(present));
    await saveLogin(refreshed);
    return refreshed.accessToken;
  });
}

/** Returns the login that a token response is. */
export function toLogin(
  before: Pick<SavedLogin, "issuer" | "clientId" | "user">,
  { accessToken, response }: TokenAnswer,
): SavedLogin {
  const { refresh_token: refreshToken, expires_in: lifetime } = response;
  if (typeof refreshToken !== "string" || typeof lifetime !== "number") {
    throw new CommandError(`${before.issuer} issued no refresh token`, { fix: "check the version of the server" });
  }
  const { issuer, clientId, user } = before;
  return {
    issuer,
    clientId,
    user,
    accessToken: new Secret(accessToken),
    expiresAt: systemClock() + seconds(lifetime),
    refreshToken: new Secret(refreshToken),
  };
}

const isFresh = ({ expiresAt }: SavedLogin): boolean => expiresAt - spare > systemClock();

async function requireLogin(issuer: string): Promise<SavedLogin> {
  const login = await readLogin(issuer);
  if (login !== undefined) return login;
  throw new CommandError(`you are not signed in to ${issuer}`, { fix: `run: doorward login ${issuer}` });
}

async function refresh({ issuer, clientId, refreshToken }: SavedLogin): Promise<TokenAnswer> {
  try {
    return await requestToken(
      { issuer, clientId, clientSecret: undefined },
      { grant_type: "refresh_token", refresh_token: refreshToken.reveal() },
    );
  } catch (error) {
    // Only an answer of the server ends a login: a server that does not answer proves nothing.
    if (!(error instanceof TokenRefused) || error.code !== "invalid_grant") throw error;
    await removeLogin(issuer);
    throw ended(issuer, error);
  }
}

const ended = (issuer: string, cause?: unknown): CommandError =>
  new CommandError(`your sign-in to ${issuer} has ended`, { fix: `sign in again: doorward login ${issuer}`, cause });
