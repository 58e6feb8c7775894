import type { Call } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { isReadable } from "../user-search/index.ts";
import {
  type CredentialFilter,
  type CredentialOrder,
  type ListedCredential,
  readCredentials,
} from "./credential-list.store.ts";

export interface ListCredentials extends CredentialOrder {
  /** All must hold. */
  readonly filters: readonly CredentialFilter[];
}

/** Lists keys of service accounts that the caller may read, and the caller's own. */
export function listUserKeys(
  deps: { readonly database: Database },
  call: Call,
  input: ListCredentials,
): Promise<List<ListedCredential>> {
  return list(deps.database, call, "key", input);
}

/**
 * Lists personal access tokens of service accounts that the caller may read, and the caller's own; never their values.
 */
export function listPersonalAccessTokens(
  deps: { readonly database: Database },
  call: Call,
  input: ListCredentials,
): Promise<List<ListedCredential>> {
  return list(deps.database, call, "token", input);
}

async function list(database: Database, call: Call, kind: "key" | "token", { filters, ...order }: ListCredentials) {
  const where = { instanceId: call.instanceId, isReadable: isReadable(call), filters };
  return readCredentials(database.read, kind, where, order);
}
