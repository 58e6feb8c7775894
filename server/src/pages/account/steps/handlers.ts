import { Fault } from "../../../base/fault.ts";
import { freshForChange } from "../../../domain/session/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { FormError, PageContext } from "../../html/index.ts";
import { type GoalName, goalOf } from "../../login/steps/goals.ts";
import { seeOther } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import { type Account, isAccount, isFresh, openAccount, pageIn, toLogin } from "./account.ts";

/** A page of the account. */
export interface AccountPageAt {
  readonly path: string;
  /** Where the login leads back to from here. One with a maximal age is demanded before the page is shown, so that nobody fills in a form in vain. */
  readonly goal: GoalName;
  readonly get?: (deps: PageDeps, account: Account) => Promise<WebResponse>;
  readonly post?: (deps: PageDeps, account: Account, form: URLSearchParams, file?: Buffer) => Promise<WebResponse>;
  /** Where a form leads that is out of date; the page itself when not given. */
  readonly pageOfForm?: string;
  /** Its form is sent with a file in this field. */
  readonly fileField?: string;
}

/** The page with its guard: a person of this browser, and a fresh authentication where the goal has an age. */
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
        // A form is of one account: it never acts for another that happens to be signed in.
        if (!visit.query.has("session")) return seeOther(pageOfForm);
        const account = await openAccount(deps, visit, goal);
        if (!isAccount(account)) return account;
        // Longer than for the page, to fill it in.
        const mayChange = maxAge === undefined || (await isFresh(deps, account, freshForChange));
        return mayChange ? post(deps, account, form, file) : toLogin(goal, visit);
      },
    }),
  };
}

/** A refusal that the person can do something about; whatever else was thrown is thrown on. */
export async function attempt(work: () => Promise<unknown>): Promise<Fault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** A refusal as a form says it. `fields` are the inputs by the fields that faults name. */
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

/** Leads to a page that says what was done. */
export const toNews = (account: Account, path: string, done: string): WebResponse =>
  seeOther(pageIn(account, path, { done }));
