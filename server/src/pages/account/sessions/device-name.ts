import type { Device } from "../../../domain/sign-in-attempt/index.ts";
import type { PageContext } from "../../../html/index.ts";

/** Returns what a device is called: browser and system where they are known, otherwise what its creator calls it. */
export function deviceName(context: PageContext, { browser, system, description }: Device): string {
  if (browser !== undefined && system !== undefined) return context.say("account.sessions.device", { browser, system });
  return browser ?? system ?? description ?? context.say("account.sessions.unknown");
}
