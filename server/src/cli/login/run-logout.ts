import type { Command } from "commander";
import { answer } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { withLoginLock } from "./login-lock.ts";
import { revokeLogin } from "./revoke-login.ts";
import { listLogins, readLogin, removeLogin } from "./saved-login.ts";

/** Ends sign-ins: has the server revoke their tokens, and removes them from this machine. */
export async function runLogout(command: Command, server: string | undefined): Promise<void> {
  const { all } = command.opts<{ all?: boolean }>();
  const issuers = all === true ? await listIssuers() : [await chooseIssuer(server)];
  const failures: { readonly issuer: string; readonly reason: string }[] = [];
  for (const issuer of issuers) {
    const reason = await end(issuer);
    if (reason !== undefined) failures.push({ issuer, reason });
  }
  const [first] = failures;
  if (first !== undefined) {
    throw new CommandError(`the sign-in to ${first.issuer} is removed here, but goes on there: ${first.reason}`, {
      fix: `end it on your account page: ${first.issuer}/ui/account/applications`,
    });
  }
  const text = issuers.length === 0 ? "You are signed in to no server." : `Signed out of ${issuers.join(", ")}.`;
  answer(command, { signedOut: issuers }, text);
}

// Removed first: whatever the server says, it must not be used again.
async function end(issuer: string): Promise<string | undefined> {
  return withLoginLock(issuer, async () => {
    const login = await readLogin(issuer);
    await removeLogin(issuer);
    try {
      if (login !== undefined) await revokeLogin(login);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
}

const listIssuers = async (): Promise<string[]> => (await listLogins()).map(({ issuer }) => issuer);

async function chooseIssuer(server: string | undefined): Promise<string> {
  const known = await listIssuers();
  const [only] = known;
  const wanted = server === undefined ? only : (URL.parse(server)?.origin ?? server);
  if (wanted !== undefined && known.includes(wanted) && (server !== undefined || known.length === 1)) return wanted;
  throw new CommandError(server === undefined ? "which server is not clear" : `you are not signed in to ${server}`, {
    fix: known.length === 0 ? "you are signed in to no server" : `name one of: ${known.join(", ")}`,
  });
}
