import { addressKey } from "../../base/names/address-key.ts";
import type { BrowserVisit } from "./browser-visit.ts";

/**
 * Returns whether a name is the one that the request filled in (`login_hint`). One press of a button sends it, so it
 * says who the user is, if they prove that, and nothing else: any link can have written it.
 */
export function isHinted({ authRequest }: Pick<BrowserVisit, "authRequest">, loginName: string): boolean {
  const hint = authRequest?.parameters.loginHint;
  return hint !== undefined && addressKey(asSent(hint)) === addressKey(loginName);
}

// Browsers drop the line breaks of a value in an input of one line, and replace the null character.
const asSent = (hint: string): string => hint.replaceAll(/[\r\n]/g, "").replaceAll("\0", "\ufffd");
