import type { Command } from "commander";
import { instanceOrigin } from "../../domain/instance/index.ts";
import { issueSetupLink } from "../../domain/setup/index.ts";
import { answer } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { onHost } from "../on-host.ts";

/** Prints a link for the first administrator. */
export async function runAdminSetupLink(command: Command): Promise<void> {
  const setup = await onHost(command, { whileRunning }, async ({ domain, call, instance, config }) => {
    const secret = await issueSetupLink(domain, call);
    if (secret === undefined) {
      const fix = "use doorward admin create for another one, or doorward admin recover for one who cannot sign in";
      throw new CommandError("there has already been an administrator, so setup is closed permanently", { fix });
    }
    return setupLink(instanceOrigin(config.baseUrl, instance), secret.reveal());
  });
  answer(command, { setup }, setup);
}

const whileRunning = "stop the server, run this, and start it again; `doorward dev` prints a new link when it starts";

/** The secret follows `#`, which browsers do not send: it appears in no log and reaches no proxy. */
export const setupLink = (origin: string, secret: string): string => `${origin}/ui/setup#${secret}`;
