import type { Random } from "../../base/random.ts";
import { generateSecret, hashSecret } from "../../base/secret.ts";
import type { Tx } from "../../database/index.ts";
import { consumePushedRequest, insertPushedRequest } from "./pushed-request.store.ts";

/** Prefix of every reference to a pushed request (RFC 9126 §2.2). */
export const pushedRequestPrefix = "urn:ietf:params:oauth:request_uri:";

/**
 * Step: stores a pushed request for `lifetime` milliseconds. Returns the reference, which is a secret until it is used.
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

/** Step: redeems a reference, once. Undefined when it is unknown, used, expired or of another client. */
export async function redeemPushedRequest(
  tx: Tx,
  input: { readonly requestUri: string; readonly clientId: string },
): Promise<ReadonlyMap<string, string> | undefined> {
  const referenceHash = hashSecret(input.requestUri.slice(pushedRequestPrefix.length));
  const parameters = await consumePushedRequest(tx, { referenceHash, clientId: input.clientId });
  return parameters === undefined ? undefined : new Map(JSON.parse(parameters) as [string, string][]);
}
