import { minutes, seconds } from "../../../../base/clock.ts";
import { Fault } from "../../../../base/fault.ts";

// Connections on which nothing is sent for a minute are closed.
const longest = seconds(50);

const units: Readonly<Record<string, number>> = { ms: 1, s: seconds(1), m: minutes(1), h: minutes(60) };

/**
 * Returns how many milliseconds an import or export may take: as long as possible, or less if `timeout` says so
 * (`30s`, `1m30s`). Throws `invalid_argument` for what is no duration.
 */
export function readTimeout(timeout: string): number {
  if (timeout === "") return longest;
  if (timeout.length > 30 || !/^(?:\d+(?:ms|s|m|h))+$/.test(timeout)) {
    throw new Fault("invalid_argument", "data.timeout_unreadable", { field: "timeout" });
  }
  let total = 0;
  for (const [, amount, unit = ""] of timeout.matchAll(/(\d+)(ms|s|m|h)/g))
    total += Number(amount) * (units[unit] ?? 0);
  return Math.min(total, longest);
}
