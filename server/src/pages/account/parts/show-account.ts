import type { Html, PageContext } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { show } from "../../visit/answer.ts";
import type { Account } from "./account.ts";
import { frameOf } from "./frame.ts";
import type { AccountFrame, AccountPart } from "./frame-view.ts";

/**
 * Answers with a page of the account. The response to a POST has no language links, because its address does not
 * identify it. `isLeaving` allows a form to redirect to a provider.
 */
export function showAccount(
  deps: PageDeps,
  account: Account,
  part: AccountPart,
  draw: (context: PageContext, frame: AccountFrame) => Html,
  { isLeaving = false }: { readonly isLeaving?: boolean } = {},
): Promise<WebResponse> {
  const { visit } = account;
  const isAddressable = visit.request.method === "GET";
  const options = { surface: "account", isAddressable, isLeaving } as const;
  return show(deps, visit, (context) => draw(context, frameOf(account, part)), options);
}
