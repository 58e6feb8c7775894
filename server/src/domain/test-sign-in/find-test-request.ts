import type { Call } from "../../call/index.ts";
import { listSignedInSessions, type SignedInDeps } from "../session/index.ts";
import { findWaitingTest } from "./test-sign-in.store.ts";
import { testReferencePrefix } from "./test-sign-in.ts";

/** A prepared request, in the browser that may answer it. */
export interface TestRequest {
  readonly testId: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Finds the prepared request of a reference, in the browser in which the session of its administrator is signed in.
 * Undefined when it is unknown, answered, expired, of another client, or prepared in another browser: a link to a test
 * is of no use to others, and no session of theirs answers it.
 */
export async function findTestRequest(
  deps: SignedInDeps,
  call: Call,
  {
    requestUri,
    clientId,
    browserHash,
  }: { readonly requestUri: string; readonly clientId: string; readonly browserHash: string | undefined },
): Promise<TestRequest | undefined> {
  if (browserHash === undefined) return undefined;
  const testId = requestUri.slice(testReferencePrefix.length);
  const { instanceId, now } = call;
  const found = await findWaitingTest(deps.database.read, instanceId, { testId, clientId, now });
  if (found === undefined) return undefined;
  const sessions = await listSignedInSessions(deps, call, browserHash);
  if (!sessions.some(({ sessionId }) => sessionId === found.sessionId)) return undefined;
  return { testId, parameters: found.parameters };
}
