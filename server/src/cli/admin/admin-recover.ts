import type { Command } from "commander";

import { isFreshCaller, mayActForUser } from "../../domain/session/index.ts";
import { recoverAdministrator } from "../../domain/setup/index.ts";
import { getUser } from "../../domain/user-search/index.ts";
import { answer } from "../command-context.ts";
import { onHost } from "../on-host.ts";
import { describePassword } from "./admin-create.ts";
import { choosePassword } from "./choose-password.ts";

/** Restores an administrator's access and prints how to sign in. */
export async function runAdminRecover(command: Command): Promise<void> {
  const { loginName, resetLoginSettings = false, removeSecondFactors = false } = command.opts<RecoverOptions>();
  const password = await choosePassword(command);
  const found = await onHost(command, { whileRunning }, async ({ domain, call }) => {
    const { userId } = await recoverAdministrator(
      { ...domain, mayActFor: mayActForUser, isFresh: isFreshCaller },
      call,
      {
        loginName,
        password: password.value,
        resetsLoginSettings: resetLoginSettings,
        removesSecondFactors: removeSecondFactors,
      },
    );
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

interface RecoverOptions {
  readonly loginName: string;
  readonly resetLoginSettings?: boolean;
  readonly removeSecondFactors?: boolean;
}

const whileRunning = "stop the server and run this again";
