import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { isReferenceAnswered } from "../../domain/auth-request/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { BroughtRequest } from "./asked.ts";
import { withReferencedObject } from "./referenced-object.ts";
import { unfoldRequestObject } from "./request-object.ts";

/**
 * Returns the request of its request object, sent or published; unchanged without one. An object that is refused leaves
 * the request as it was brought, with the refusal: where the error goes is known by its redirect URI alone.
 */
export async function unfoldObject(
  deps: OAuthDeps,
  { call, issuer }: { readonly call: Call; readonly issuer: string },
  client: Client,
  brought: BroughtRequest,
): Promise<BroughtRequest> {
  if (brought.refused !== undefined) return brought;
  try {
    const { clientKeys } = deps;
    const complete = await withReferencedObject(deps, call, client, brought.parameters);
    const source = complete === brought.parameters ? "value" : "published";
    const unfolded = await unfoldRequestObject({ clientKeys, call, issuer, source }, client, complete);
    const { parameters, referenceHash = brought.referenceHash, isScopeSigned, isHintSigned } = unfolded;
    const isScopeFromClient = brought.isScopeFromClient || isScopeSigned;
    const isHintFromClient = brought.isHintFromClient || isHintSigned;
    const isUsed =
      referenceHash !== undefined && (await isReferenceAnswered(deps.database.read, call.instanceId, referenceHash));
    if (isUsed) throw new OAuthError("invalid_request_object", "the request object was used before");
    return { parameters, referenceHash, refused: undefined, isScopeFromClient, isHintFromClient };
  } catch (error) {
    if (error instanceof OAuthError) return { ...brought, refused: error };
    throw error;
  }
}
