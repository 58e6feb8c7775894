import { Fault } from "../../../base/fault.ts";
import { freshForChange } from "../../../domain/user/index.ts";
import type { FormError, PageContext } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type GoalName, goalOf } from "../../login/flow/goals.ts";
import { seeOther } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import { type Account, isAccount, isFresh, openAccount, pageIn, toLogin } from "./account.ts";

/** A page of the account. */
export interface AccountPageAt {
  readonly path: string;
  /**
   * Where the login returns to. A goal with a maximal age is checked before the page is shown, so that users do not
   * fill in a form in vain.
   */
  readonly goal: GoalName;
  readonly get?: (deps: PageDeps, account: Account) => Promise<WebResponse>;
  readonly post?: (deps: PageDeps, account: Account, form: URLSearchParams, file?: Buffer) => Promise<WebResponse>;
  /** Where an outdated form leads; the page itself by default. */
  readonly pageOfForm?: string;
  /** The form uploads a file in this field. */
  readonly fileField?: string;
}

/** Creates the page with its guard: a user of this browser, and a fresh authentication where the goal requires one. */
export function accountPage(page: AccountPageAt): PageAt {
  const { path, goal, get, post, pageOfForm = path } = page;
  const { maxAge } = goalOf(goal) as { readonly maxAge?: number };
  return {
    path,
    ...(page.pageOfForm !== undefined && { pageOfForm }),
    ...(page.fileField !== undefined && { fileField: page.fileField }),
    ...(get !== undefined && {
      get: async (deps, visit) => {
        const account = await openAccount(deps, visit, goal);
        if (!isAccount(account)) return account;
        return maxAge === undefined || (await isFresh(deps, account, maxAge))
          ? get(deps, account)
          : toLogin(goal, visit);
      },
    }),
    ...(post !== undefined && {
      post: async (deps, visit, form, file) => {
        // A form belongs to one account: it never acts for another one in the same browser.
        if (!visit.query.has("session")) return seeOther(pageOfForm);
        const account = await openAccount(deps, visit, goal);
        if (!isAccount(account)) return account;
        // Longer than for the page, to allow time to fill it in.
        const mayChange = maxAge === undefined || (await isFresh(deps, account, freshForChange));
        return mayChange ? post(deps, account, form, file) : toLogin(goal, visit);
      },
    }),
  };
}

/** Returns a refusal that the user can correct; rethrows every other error. */
export async function attempt(work: () => Promise<unknown>): Promise<Fault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Returns the errors of a refusal for a form. `fields` maps the fields of faults to inputs. */
export function errorsOf<Field extends string>(
  deps: PageDeps,
  context: PageContext,
  fault: Pick<Fault, "id" | "field" | "values"> | undefined,
  fields: Readonly<Record<string, Field>> = {},
): FormError<Field>[] {
  if (fault === undefined) return [];
  const field = fault.field === undefined ? undefined : fields[fault.field];
  const message = deps.texts.translate(context.language, `fault.${fault.id}`, fault.values);
  return [{ message, ...(field !== undefined && { field }) }];
}

/** Redirects to a page that confirms what was done. */
export const toNews = (account: Account, path: string, done: string): WebResponse =>
  seeOther(pageIn(account, path, { done }));
