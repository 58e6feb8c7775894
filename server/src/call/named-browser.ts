import { requireCaller } from "./authorize.ts";
import type { Call } from "./call.ts";
import { isLoginClient } from "./login-client.ts";

/** A browser, as one sign-in application names it. */
export interface NamedBrowser {
  readonly creatorId: string;
  readonly fingerprintId: string;
}

/** Returns the browser that a sign-in application names; undefined where it names none, and for other callers. */
export function namedBrowserOf(call: Call, fingerprintId: string | undefined): NamedBrowser | undefined {
  const { access, userId: creatorId } = requireCaller(call);
  if (fingerprintId === undefined || fingerprintId === "" || !isLoginClient(access)) return undefined;
  return { creatorId, fingerprintId };
}
