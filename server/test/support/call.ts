import type { Call } from "../../src/call/index.ts";

/** A call of nobody in particular at a fixed time; what a test is about is given. */
export function testCall(given: Partial<Call> = {}): Call {
  return { instanceId: "instance-1", requestId: "request-1", now: 1_800_000_000_000, language: "en", ...given };
}
