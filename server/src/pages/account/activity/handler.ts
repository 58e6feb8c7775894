import { days } from "../../../base/clock.ts";
import {
  type ListedChange,
  listOwnChanges,
  nameAggregateType,
  nameEventType,
} from "../../../domain/event-log/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type ActivityView, activityPage, notMePage } from "./view.ts";

const path = accountPaths.activity;
const limit = 30;
/** How far back the activity goes. */
const activityAge = days(90);

/**
 * `/ui/account/activity`: the events of the account, newest first; and what to do when they were not caused by the
 * user.
 */
export const activityPages = [
  accountPage({
    path,
    goal: "account-activity",
    get: async (deps, account) => {
      const before = readSequence(account.visit.query.get("before"));
      const since = account.call.now - activityAge;
      const page = { limit: limit + 1, isAscending: false, fromSequence: before, since };
      const found = await listOwnChanges(deps, account.call, page);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      return showAccount(deps, account, "activity", (context, frame) =>
        activityPage(context, {
          ...frame,
          events: shown.map((change) => toView(deps, account, change)),
          notMeHref: pageIn(account, `${path}/not-me`),
          pager: {
            newerHref: before === undefined ? undefined : pageIn(account, path),
            olderHref:
              found.length > limit && last !== undefined
                ? pageIn(account, path, { before: String(last.sequence) })
                : undefined,
          },
        }),
      );
    },
  }),
  accountPage({
    path: `${path}/not-me`,
    goal: "account-activity",
    get: async (deps, account) => {
      const { allowLocalAuthentication } = await accountSettings(deps, account);
      const mayChange = allowLocalAuthentication && account.user.hasPassword;
      return showAccount(deps, account, "activity", (context, frame) =>
        notMePage(context, {
          ...frame,
          endOthersAction: pageIn(account, `${accountPaths.sessions}/end-others`),
          passwordHref: mayChange ? pageIn(account, "/ui/account/password") : undefined,
          methodsHref: pageIn(account, accountPaths.methods),
        }),
      );
    },
  }),
];

function readSequence(text: string | null): number | undefined {
  const sequence = Number(text ?? "");
  return Number.isSafeInteger(sequence) && sequence > 0 ? sequence : undefined;
}

function toView(deps: PageDeps, { call, user }: Account, change: ListedChange): ActivityView {
  const { editorUserId, editorName, createdAt } = change;
  const isOwn = editorUserId === "" || editorUserId === user.userId;
  return {
    what: wordsOf(deps, call.language, change.type),
    at: createdAt,
    by: isOwn || editorName === "" ? undefined : editorName,
  };
}

/** Returns the name of an event without that of the record, which is the user: "Password set". */
function wordsOf({ texts }: PageDeps, language: Account["call"]["language"], type: string): string {
  const name = nameEventType(texts, language, type).localizedMessage;
  const record = `${nameAggregateType(texts, language, "user").localizedMessage}: `;
  if (!name.startsWith(record)) return name;
  const words = name.slice(record.length);
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1);
}
