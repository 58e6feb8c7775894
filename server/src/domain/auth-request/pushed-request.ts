import type { Random } from "../../base/random.ts";
import { generateSecret, hashSecret } from "../../base/secret.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findPushedParameters, insertPushedRequest } from "./pushed-request.store.ts";

/** Prefix of every reference to a pushed request (RFC 9126 §2.2). */
export const pushedRequestPrefix = "urn:ietf:params:oauth:request_uri:";

/**
 * Step: stores a pushed request for `lifetime` milliseconds. Returns the reference, which is a secret until its
 * request is answered.
 */
export async function createPushedRequest(
  tx: Tx,
  deps: { readonly random: Random },
  input: { readonly clientId: string; readonly parameters: ReadonlyMap<string, string>; readonly lifetime: number },
): Promise<string> {
  const secret = generateSecret(deps.random);
  await insertPushedRequest(tx, {
    referenceHash: hashSecret(secret),
    clientId: input.clientId,
    parameters: JSON.stringify([...input.parameters]),
    expiresAt: tx.now + input.lifetime,
  });
  return pushedRequestPrefix + secret.reveal();
}

/** A request that a client pushed, and the hash of its reference. */
export interface PushedRequest {
  readonly parameters: ReadonlyMap<string, string>;
  readonly referenceHash: string;
}

/**
 * Finds the request of a reference. Undefined when it is unknown, answered, expired or of another client. It stays
 * until it is answered (`claimReference`), so that a reload, a second tab or a link preview does not end the sign-in.
 */
export async function findPushedRequest(
  reader: Reader,
  instanceId: string,
  input: { readonly requestUri: string; readonly clientId: string; readonly now: number },
): Promise<PushedRequest | undefined> {
  const { requestUri, clientId, now } = input;
  const referenceHash = hashSecret(requestUri.slice(pushedRequestPrefix.length));
  const parameters = await findPushedParameters(reader, instanceId, { referenceHash, clientId, now });
  if (parameters === undefined) return undefined;
  return { parameters: new Map(JSON.parse(parameters) as [string, string][]), referenceHash };
}
