import type { Call } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import { authorizeUser, readUser } from "../user/index.ts";
import { listIdentityLinksOfUser } from "./identity-link.store.ts";
import type { ListedIdentityLink } from "./identity-link.ts";

export interface ListIdentityLinks {
  readonly userId: string;
  readonly page: Page;
  readonly isDescending: boolean;
}

/** Lists the accounts with which a user can sign in, for callers who may read the user. */
export async function listIdentityLinks(
  { database }: { readonly database: Database },
  call: Call,
  { userId, ...order }: ListIdentityLinks,
): Promise<List<ListedIdentityLink>> {
  await authorizeUser(database.read, call, userId, readUser);
  return listIdentityLinksOfUser(database.read, call.instanceId, userId, order);
}
