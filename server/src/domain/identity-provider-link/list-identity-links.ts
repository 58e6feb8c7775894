import type { Call } from "../../call/index.ts";
import type { Database, List, Page } from "../../database/index.ts";
import { authorizeUser, type PreparedDeps, readUser } from "../user/index.ts";
import { listIdentityLinksOfUser } from "./identity-link.store.ts";
import type { ListedIdentityLink } from "./identity-link.ts";
import { isGoodLink } from "./is-good-link.ts";

export interface ListIdentityLinks {
  readonly userId: string;
  readonly page: Page;
  readonly isDescending: boolean;
}

/** Lists the accounts with which a user can sign in, for callers who may read the user. */
export async function listIdentityLinks(
  { database, mayPrepareFor }: PreparedDeps & { readonly database: Database },
  call: Call,
  { userId, ...order }: ListIdentityLinks,
): Promise<List<ListedIdentityLink>> {
  await authorizeUser(database.read, call, userId, readUser);
  const { rows, total } = await listIdentityLinksOfUser(database.read, call.instanceId, userId, order);
  const links: ListedIdentityLink[] = [];
  for (const link of rows) {
    const isGood = await isGoodLink(database.read, call.instanceId, { mayPrepareFor }, link);
    links.push({ ...link, isSuspended: link.isSuspended || !isGood });
  }
  return { rows: links, total };
}
