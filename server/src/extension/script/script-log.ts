import { createRateLimiter } from "../../base/budget/rate-limiter.ts";
import type { LogLine } from "./protocol.ts";

/** Writes a line of the log of the process. */
export type WriteLine = (level: LogLine["level"], message: string, details: Readonly<Record<string, unknown>>) => void;

/** Writes what scripts of an organization write, and how they fail. */
export type ScriptLog = (
  whose: { readonly instanceId: string; readonly organizationId: string },
  ...line: Parameters<WriteLine>
) => void;

const perMinute = 600;

/** Creates the log of scripts: an organization writes only so many lines a minute, and those beyond are left out. */
export function createScriptLog(write: WriteLine): ScriptLog {
  const lines = createRateLimiter({ perMinute });
  const notes = createRateLimiter({ perMinute: 1 });
  return ({ instanceId, organizationId }, level, message, details) => {
    const key = `${instanceId}\n${organizationId}`;
    const now = performance.now();
    if (lines.take(key, now) === 0) write(level, message, { instanceId, organizationId, ...details });
    else if (notes.take(key, now) === 0) {
      write("warn", "lines of scripts were left out, because there were too many", { instanceId, organizationId });
    }
  };
}
