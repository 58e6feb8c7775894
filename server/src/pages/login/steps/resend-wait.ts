import { codePause } from "../../../domain/user/index.ts";
import type { Visit } from "../../visit/visit.ts";

/**
 * Milliseconds until another code is sent, as an address says that one was asked for (`again`): counted from then, which tells nothing of whether there
 * is anything to prove.
 */
export function resendWait({ query, call: { now } }: Visit): number {
  const left = Number(query.get("again")) + codePause - now;
  return left > 0 && left <= codePause ? left : 0;
}
