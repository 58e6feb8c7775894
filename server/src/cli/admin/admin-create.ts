import type { Command } from "commander";
import { createAdministratorOnHost } from "../../domain/setup/index.ts";
import { getUser } from "../../domain/user-search/index.ts";
import { answer } from "../command-context.ts";
import { onHost } from "../on-host.ts";
import { type ChosenPassword, choosePassword } from "./choose-password.ts";

interface Options {
  readonly email: string;
  readonly username?: string;
  readonly givenName?: string;
  readonly familyName: string;
  readonly passwordChange: boolean;
}

/** Creates an administrator and prints how to sign in. */
export async function runAdminCreate(command: Command): Promise<void> {
  const { email, familyName, passwordChange, ...given } = command.opts<Options>();
  const { username = email.split("@", 1)[0] ?? email } = given;
  const { givenName = username } = given;
  const password = await choosePassword(command);
  const isPasswordChangeRequired = passwordChange && !password.isTyped;
  const made = await onHost(command, { whileRunning }, async ({ domain, call, instance }) => {
    const { userId } = await createAdministratorOnHost(domain, call, {
      username,
      email,
      profile: { givenName, familyName },
      password: password.value,
      isPasswordChangeRequired,
    });
    const { preferredLoginName } = await getUser(domain, call, { userId });
    return { userId, loginName: preferredLoginName, organizationId: instance.defaultOrganizationId };
  });
  const shown = password.isMadeUp ? { password: password.value } : {};
  answer(
    command,
    { ...made, email, ...shown, isPasswordChangeRequired },
    [
      `${made.loginName} now owns the instance.`,
      `  user id      ${made.userId}`,
      ...describePassword(password, isPasswordChangeRequired),
    ].join("\n"),
  );
}

const whileRunning =
  "stop the server and run this again, or sign in as an administrator and create the user in the console or with the API";

/** Returns the lines of the output that describe the password. */
export function describePassword({ isMadeUp, value }: ChosenPassword, isChangeRequired: boolean): string[] {
  const change = isChangeRequired ? "; has to be changed at the next sign-in" : "";
  return isMadeUp ? [`  password     ${value}  (shown this once${change})`] : [`  password     as given${change}`];
}
