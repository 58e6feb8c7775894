import { days } from "../../../base/clock.ts";
import {
  type ListedChange,
  listOwnChanges,
  nameAggregateType,
  nameEventType,
} from "../../../domain/event-log/index.ts";
import type { PageContext } from "../../../html/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type FindDevice, readDevices } from "./devices.ts";
import { isTold, sentenceOf } from "./sentences.ts";
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
      const found = await listOwnChanges(deps.database, account.call, page);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const told = shown.filter(({ type }) => isTold(type));
      const findDevice = await readDevices(deps, account);
      const names = await readApplicationNames(deps, account, told);
      return showAccount(deps, account, "activity", (context, frame) =>
        activityPage(context, {
          ...frame,
          events: told.map((change) => toView(deps, account, change, { context, findDevice, names })),
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

/** What the views of events need besides the events. */
interface Surroundings {
  readonly context: PageContext;
  readonly findDevice: FindDevice;
  readonly names: ReadonlyMap<string, string>;
}

function toView(
  deps: PageDeps,
  { call, user }: Account,
  change: ListedChange,
  { context, findDevice, names }: Surroundings,
): ActivityView {
  const { type, editorUserId, editorName, editorClientId, source, createdAt, reason } = change;
  const isOwn = editorUserId === "" || editorUserId === user.userId;
  const sentence = sentenceOf(context, type);
  return {
    what: sentence?.words ?? wordsOf(deps, call.language, type),
    icon: sentence?.icon ?? "info",
    at: createdAt,
    by: isOwn || editorName === "" ? undefined : editorName,
    device: isOwn && sentence?.isSignIn === true ? findDevice(createdAt, source) : undefined,
    address: source === "" ? undefined : source,
    application: names.get(editorClientId),
    reason,
    isSensitive: isOwn && sentence?.isSensitive === true,
  };
}

/** Reads the names of the applications through which the user changed something. */
async function readApplicationNames(
  deps: PageDeps,
  { call }: Account,
  changes: readonly ListedChange[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(changes.map(({ editorClientId }) => editorClientId))].filter((id) => id !== "");
  const found = await Promise.all(ids.map(async (id) => [id, (await deps.clients.find(call.instanceId, id))?.name]));
  return new Map(found.flatMap(([id, name]) => (id === undefined || name === undefined ? [] : [[id, name]])));
}

/** Returns the name of an event without that of the record, which is the user: "Password set". */
function wordsOf({ texts }: PageDeps, language: Account["call"]["language"], type: string): string {
  const name = nameEventType(texts, language, type).localizedMessage;
  const record = `${nameAggregateType(texts, language, "user").localizedMessage}: `;
  if (!name.startsWith(record)) return name;
  const words = name.slice(record.length);
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1);
}
