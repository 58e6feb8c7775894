import { codePause } from "../../../domain/contact/index.ts";
import type { Visit } from "../../visit/visit.ts";

/**
 * Returns the milliseconds until another code may be sent, from the time of the request in the address (`again`). This
 * does not reveal whether there is anything to verify.
 */
export function resendWait({ query, call: { now } }: Visit, pause = codePause): number {
  const left = Number(query.get("again")) + pause - now;
  return left > 0 && left <= pause ? left : 0;
}
