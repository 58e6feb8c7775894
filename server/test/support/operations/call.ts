import type { Call } from "../../../src/call/index.ts";

/** Returns a call without a caller at a fixed time; a test gives the parts that it is about. */
export function testCall(given: Partial<Call> = {}): Call {
  return { instanceId: "instance-1", requestId: "request-1", now: 1_800_000_000_000, language: "en", ...given };
}
