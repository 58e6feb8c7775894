import type { Instant } from "../clock.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { createSourceLimiter, type SourceLimiter } from "./source-limiter.ts";

/** How much one subject may use: `burst` at once, and `perMinute` from then on. */
interface Budget {
  readonly perMinute: number;
  readonly burst: number;
}

/**
 * The budgets that are counted in the memory of a process, where a restart may begin again. Those that must outlive it
 * (messages, users in bulk jobs) are rows (`database/budget.store.ts`), and the limits of routes in `web/rate-limits`.
 * All are counted within an instance, those of a source (`…_of_source`) for its block as well (`source-limiter.ts`).
 */
const budgets = {
  /** Wrong passwords for one user from one source. Answer: `password.throttled` (429). */
  password_of_source: { perMinute: 3, burst: 15 },
  /**
   * Passwords for one user, or one name at one directory, in a browser in which the user signed in before. Answer: the
   * same.
   */
  password_of_browser: { perMinute: 0.2, burst: 15 },
  /** Passwords for one name at one directory, from all sources. Answer: the same. */
  passwords_at_directory: { perMinute: 1, burst: 20 },
  /**
   * Those that one source, or one block, enters: half of them, so that no source uses them up for the user. Answer: the
   * same.
   */
  directory_passwords_of_block: { perMinute: 0.5, burst: 10 },
  /**
   * Codes for a new password of one user that one source, or one block, asks for: half of what the user is sent. No
   * answer reveals it.
   */
  resets_of_block: { perMinute: 5 / 1440, burst: 5 },
  /** Authorization requests of one source that are stored, in bytes. Answer: `temporarily_unavailable`, redirected. */
  authorization_bytes_of_source: { perMinute: 2_457_600, burst: 2_457_600 },
  /**
   * Answers of identity providers that one source has kept until their browsers come for them, in bytes. Answer:
   * `request.too_many` (429).
   */
  kept_answer_bytes_of_source: { perMinute: 4_915_200, burst: 4_915_200 },
  /** Pushed requests of one client, in bytes. Answer: `temporarily_unavailable` (429). */
  pushed_bytes_of_client: { perMinute: 4_194_304, burst: 4_194_304 },
  /** Pushed requests of one source, in bytes. Answer: the same. */
  pushed_bytes_of_source: { perMinute: 4_194_304, burst: 4_194_304 },
  /** Failed sign-ins of one source that are recorded for administrators. Beyond it, they are not. */
  sign_in_records_of_source: { perMinute: 10, burst: 100 },
  /** The same for one name that is entered, from all sources. */
  sign_in_records_of_name: { perMinute: 1, burst: 50 },
  /** The same for the instance. */
  sign_in_records_of_instance: { perMinute: 120, burst: 3000 },
  /** Files with everything that is stored about one user. Answer: `personal_data.too_many` (429). */
  personal_data_of_user: { perMinute: 0.2, burst: 3 },
  /** Lines of the log about refused requests of one source. Beyond it, they are only refused. */
  refusal_lines_of_source: { perMinute: 60, burst: 300 },
  /** The same for the instance. */
  refusal_lines_of_instance: { perMinute: 3000, burst: 6000 },
  /** Bulk jobs that one caller creates. Answer: `request.too_many` (429). */
  jobs_of_caller: { perMinute: 1, burst: 20 },
  /** Setup links that one caller creates. Answer: `request.too_many` (429). */
  setup_links_of_caller: { perMinute: 1, burst: 20 },
  /** Changes and tests by the holder of one setup link. Answer: `request.too_many`. */
  steps_of_setup_link: { perMinute: 6, burst: 40 },
  /** Impersonations that one caller begins; each is told to its user by mail. Answer: `request.too_many` (429). */
  impersonations_of_caller: { perMinute: 1, burst: 10 },
  /**
   * Key pairs that one caller has generated, by what they cost (`weightOf`). Answer: `request.too_many` (429). Keys
   * that the product makes for itself, such as those of a rotation, count for none.
   */
  key_pairs_of_caller: { perMinute: 12, burst: 120 },
  /** The same for everything of one organization that gets key pairs. Answer: the same. */
  key_pairs_of_organization: { perMinute: 24, burst: 240 },
  /**
   * Those in it that its guests have generated: callers who are at home elsewhere or act by no role there, and the
   * holders of setup links. Half of them, so that guests never use up what its administrators need. Answer: the same.
   */
  key_pairs_of_guests: { perMinute: 12, burst: 120 },
  /** Those of one guest: half of these. Answer: the same. */
  key_pairs_of_guest: { perMinute: 6, burst: 60 },
  /** Key pairs that the holder of one setup link has generated: four certificates. Answer: the same. */
  key_pairs_of_setup_link: { perMinute: 0.6, burst: 12 },
  /** Key pairs of an instance itself, for all its administrators. Answer: the same. */
  key_pairs_of_instance: { perMinute: 24, burst: 240 },
  /** Conditions beyond a few in the lists that one caller asks for. Answer: `request.too_many` (429). */
  conditions_of_caller: { perMinute: 12_000, burst: 6_000 },
} as const satisfies Record<string, Budget>;

type MemoryBudgetName = keyof typeof budgets;
export type BudgetName = MemoryBudgetName | MessageBudgetName | JobBudgetName;

/** The budgets of messages, which are kept in rows. */
const messageBudgets = [
  "messages_of_recipient_by_source",
  "messages_of_recipient",
  "messages_of_source",
  "messages_of_block",
  "messages_of_user",
  "messages_of_organization",
  "messages_of_instance",
] as const;
export type MessageBudgetName = (typeof messageBudgets)[number];

/** The budgets of users in bulk jobs, which are kept in rows as well: what they pay for is stored. */
const jobBudgets = ["job_rows_of_organization", "job_rows_of_instance"] as const;
export type JobBudgetName = (typeof jobBudgets)[number];

const allNames: readonly BudgetName[] = [
  ...(Object.keys(budgets) as MemoryBudgetName[]),
  ...messageBudgets,
  ...jobBudgets,
];

/** Whose budget it is: never shared across instances. `subject`: what the source uses, where there are several. */
type BudgetSubject<Name extends MemoryBudgetName> = {
  readonly instanceId: string;
  readonly now: Instant;
} & (Name extends `${string}_of_source`
  ? { readonly source: string; readonly subject?: string }
  : { readonly subject: string; readonly source?: never });

/** The budgets of a process, and how often each of them refused. */
export interface Budgets {
  /** Returns 0 and counts, or the milliseconds until there is enough again. */
  take<Name extends MemoryBudgetName>(name: Name, of: BudgetSubject<Name>, amount?: number): number;
  /** Returns the same without counting. */
  peek<Name extends MemoryBudgetName>(name: Name, of: BudgetSubject<Name>): number;
  giveBack<Name extends MemoryBudgetName>(name: Name, of: BudgetSubject<Name>, amount?: number): void;
  /** Counts a refusal of a budget that is kept in rows. */
  refused(name: BudgetName): void;
  /** How often each budget refused since the process started. */
  readonly refusals: ReadonlyMap<BudgetName, number>;
}

/** Requests a minute that an operator allows; 0 for no limit. The bytes that they store follow them. */
interface AllowedRates {
  readonly authorization: number;
  readonly login: number;
  readonly token: number;
}

const bytesOfRequest = 4096;
const bytesOfForm = 16_384;

const unlimited: AllowedRates = { authorization: 0, login: 0, token: 0 };

/** Creates the budgets of a process. Without rates what requests store is not limited. */
export function createBudgets({ authorization, login, token }: AllowedRates = unlimited): Budgets {
  const { pushed_bytes_of_client, pushed_bytes_of_source, ...given } = budgets;
  const { authorization_bytes_of_source: _, kept_answer_bytes_of_source: __, ...others } = given;
  const bytes = authorization * bytesOfRequest;
  const kept = login * bytesOfForm;
  const limits: Readonly<Record<string, Budget>> = {
    ...others,
    ...(token > 0 && { pushed_bytes_of_client, pushed_bytes_of_source }),
    ...(bytes > 0 && { authorization_bytes_of_source: { perMinute: bytes, burst: bytes } }),
    ...(kept > 0 && { kept_answer_bytes_of_source: { perMinute: kept, burst: kept } }),
  };
  const limiters = new Map<string, SourceLimiter>(
    Object.entries(limits).map(([name, budget]) => [
      name,
      name.endsWith("_of_source") ? createSourceLimiter(budget) : createSubjectLimiter(budget),
    ]),
  );
  // All of them from the beginning, so that a rise from nothing can be seen.
  const refusals = new Map<BudgetName, number>(allNames.map((name) => [name, 0]));
  const refused = (name: BudgetName): void => void refusals.set(name, (refusals.get(name) ?? 0) + 1);
  const witnessed = (name: MemoryBudgetName, wait: number): number => {
    if (wait > 0) refused(name);
    return wait;
  };
  return {
    take: (name, { instanceId, now, subject = "", source = "" }, amount) =>
      witnessed(name, limiters.get(name)?.take(`${instanceId}\n${subject}`, source, now, amount) ?? 0),
    peek: (name, { instanceId, now, subject = "", source = "" }) =>
      witnessed(name, limiters.get(name)?.peek(`${instanceId}\n${subject}`, source, now) ?? 0),
    giveBack: (name, { instanceId, subject = "", source = "" }, amount) =>
      limiters.get(name)?.giveBack(`${instanceId}\n${subject}`, source, amount),
    refused,
    refusals,
  };
}

/** Creates a limiter of subjects that are not sources. */
function createSubjectLimiter(budget: Budget): SourceLimiter {
  const limiter = createRateLimiter(budget);
  return {
    take: (subject, _, now, amount) => limiter.take(subject, now, amount),
    peek: (subject, _, now) => limiter.peek(subject, now),
    giveBack: (subject, _, amount) => limiter.giveBack(subject, amount),
  };
}
