import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { claimReference, markAnswered } from "../../domain/auth-request/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { AnswerInput } from "./answer-input.ts";
import { toReference } from "./reference.ts";

/**
 * Prepares the claim of a request's answer: a step that returns false when the request, or another one of the same
 * reference, was answered before. A request that nothing was stored of, and that has no reference, may be answered
 * again.
 */
export async function prepareClaim(
  deps: OAuthDeps,
  call: Call,
  { authRequestId, parameters }: Pick<AnswerInput, "authRequestId" | "parameters">,
): Promise<(tx: Tx) => Promise<boolean>> {
  if (authRequestId !== undefined) return (tx) => markAnswered(tx, authRequestId);
  const { referenceHash } = parameters;
  if (referenceHash === undefined) return async () => true;
  const reference = await toReference(deps, call, referenceHash);
  return (tx) => claimReference(tx, reference);
}
