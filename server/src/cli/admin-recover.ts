import type { Command } from "commander";
import { mayActFor } from "../domain/membership/index.ts";
import { isFreshCaller } from "../domain/session/index.ts";
import { recoverAdministrator } from "../domain/setup/index.ts";
import { getUser } from "../domain/user/index.ts";
import { describePassword } from "./admin-create.ts";
import { choosePassword } from "./choose-password.ts";
import { answer } from "./command-context.ts";
import { onHost } from "./on-host.ts";

/** Restores an administrator's access and prints how to sign in. */
export async function runAdminRecover(command: Command): Promise<void> {
  const { loginName } = command.opts<{ loginName: string }>();
  const password = await choosePassword(command);
  const found = await onHost(command, { whileRunning }, async ({ domain, call }) => {
    const { userId } = await recoverAdministrator({ ...domain, mayActFor, isFresh: isFreshCaller }, call, {
      loginName,
      password: password.value,
    });
    const { preferredLoginName } = await getUser(domain, call, { userId });
    return { userId, loginName: preferredLoginName };
  });
  const shown = password.isMadeUp ? { password: password.value } : {};
  answer(
    command,
    { ...found, ...shown, isPasswordChangeRequired: true },
    [
      `${found.loginName} can sign in again and owns the instance.`,
      `  user id      ${found.userId}`,
      ...describePassword(password, true),
    ].join("\n"),
  );
}

const whileRunning = "stop the server and run this again";
