import { open, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { seconds, systemClock } from "../../base/clock.ts";
import { CommandError } from "../command-error.ts";
import { loginFile, makeLoginDirectory } from "./saved-login.ts";

// A command that holds the lock makes two requests of 15 seconds at most.
const abandonedAfter = seconds(45);
const patience = seconds(60);
const pause = 50;

/**
 * Runs work on the login to a server while no other command of this user does: of two commands that use the same
 * refresh token, the server would take the second for a thief and end the login.
 */
export async function withLoginLock<Result>(issuer: string, work: () => Promise<Result>): Promise<Result> {
  const path = `${loginFile(issuer)}.lock`;
  await makeLoginDirectory();
  const giveUpAt = performance.now() + patience;
  while (!(await take(path))) {
    if (performance.now() > giveUpAt) {
      throw new CommandError("another command keeps using this login", { fix: `remove ${path} if none runs` });
    }
    await sleep(pause);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // One that was killed left it behind.
  const madeAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (madeAt !== undefined && systemClock() - madeAt > abandonedAfter) await rm(path, { force: true });
  return false;
}
