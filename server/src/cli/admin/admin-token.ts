import type { Command } from "commander";
import { toIso } from "../../base/clock.ts";
import { createMachineOnHost } from "../../domain/setup/index.ts";
import { answer, isJson, tell } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { onHost } from "../on-host.ts";
import { printable } from "../printable.ts";

const mostDays = 365;

/** Creates a service account that owns the instance, and prints its personal access token. */
export async function runAdminToken(command: Command): Promise<void> {
  const { username, days } = command.opts<{ username: string; days: string }>();
  const lifetimeDays = Number(days);
  if (!Number.isInteger(lifetimeDays) || lifetimeDays < 1 || lifetimeDays > mostDays) {
    throw new CommandError(`--days ${days} is not a number of days`, {
      fix: `use a whole number from 1 to ${mostDays}`,
    });
  }
  const { userId, token } = await onHost(command, { whileRunning }, ({ domain, call }) =>
    createMachineOnHost(domain, call, { username, lifetimeDays }),
  );
  const expiresAt = toIso(token.expiresAt);
  if (!isJson(command))
    tell(printable(`The service account ${username} owns the instance. Its token ends ${expiresAt}:`));
  answer(command, { token: token.token.reveal(), userId, username, expiresAt }, token.token.reveal());
}

const whileRunning = "stop the server and run this again, or sign in to it: doorward login";
