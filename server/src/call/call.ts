import type { Instant } from "../base/clock.ts";
import type { Language } from "../base/language.ts";
import type { Access, Position } from "./access.ts";
import type { Companion } from "./companion.ts";
import type { Preparation } from "./preparation.ts";
import type { Right } from "./rights.ts";

/** The authenticated caller, as the presented credential proved it. */
export interface Caller {
  readonly userId: string;
  /** Organization that owns the user; empty for system users. */
  readonly organizationId: string;
  /** Client the token was issued to; absent for personal access tokens and sessions. */
  readonly clientId?: string;
  /** Session behind the token, when there is one. */
  readonly sessionId?: string;
  /**
   * What others know or control of the sign-in behind the call: they could have made what the user makes in it. Absent
   * where no user signed in.
   */
  readonly preparedBy?: readonly Preparation[];
  readonly access: Access;
  /**
   * The rights that the user gave the application that calls. Absent: the application may do whatever the user may, as
   * trusted applications and credentials of the user's own do.
   */
  readonly rights?: ReadonlySet<Right>;
  /** What the caller may do, but not with the sign-in behind the token; absent when nothing is withheld. */
  readonly withheld?: Withheld;
  /** The token that was presented, and its family. Absent for sessions and for no token. */
  readonly token?: {
    readonly kind: "access_token" | "personal_access_token";
    readonly id: string;
    readonly familyId: string;
  };
  /**
   * When the personal access token that was presented ends, or the key of a service account by which the token was got.
   * Absent for others, which the caller gets again by proving something else.
   */
  readonly credentialExpiresAt?: Instant;
  /**
   * The administrator who imports the data of an organization, where the call is an entry of that data. The caller is
   * then no user, and `access` that of an owner of the organization (`rpc/call-other.ts`).
   */
  readonly importer?: Pick<Caller, "userId" | "access">;
  /** The setup link whose holder acts, in the name of the user who created it. */
  readonly setupLinkId?: string;
  /** The user has just authenticated on our own pages for this call, so there is no session to check. */
  readonly isProven?: true;
  /** Of `Presented` alone: no call has such a caller. */
  readonly isUnconfirmed?: never;
}

/**
 * What a presented credential proved of a caller, once. The types refuse it as that of a call, which has to be able to
 * ask again (`callOfPresented`).
 */
export type Presented<Known extends Partial<Caller>> = Omit<Known, "isUnconfirmed"> & {
  readonly isUnconfirmed?: true;
};

/** Access that a better sign-in would give, and the slug of the refusal that says so. */
interface Withheld {
  readonly access: Access;
  readonly slug: "authentication.too_old" | "authentication.two_factors_needed";
}

/**
 * Whether a caller is a user of an instance: system users and the operator are beyond all of them. No position that is
 * given or taken changes that, so it is noted, and asks for none of them to hold.
 */
export const isOfInstance = ({ access, importer }: Pick<Caller, "access" | "importer">): boolean =>
  !(importer?.access ?? access).noted.some(({ level }) => level === "system");

/** What is learned of a request on its way, for the log: ids and words of the program, nothing that a caller sent. */
export interface RequestNote {
  /** Slug of the fault, OAuth error or name of the error page. */
  readonly errorId?: string;
  /** A client that exists. */
  readonly clientId?: string | undefined;
  readonly userId?: string | undefined;
}

/** What a call has ended of its own caller, in units of work that are committed. */
export interface EndedOfCaller {
  /** Their account, or the organization that they are at home in. */
  readonly isGone: boolean;
  /** Positions of theirs. Those on an instance have its id. */
  readonly positions: readonly Pick<Position, "level" | "resourceId">[];
}

/** What a call has ended at first: nothing. */
export const nothingEnded: EndedOfCaller = { isGone: false, positions: [] };

/** One request: built once by a transport, handed down, never changed. */
export interface Call {
  readonly instanceId: string;
  readonly caller?: Caller;
  /** v1 organization context: header `x-service-orgid`, otherwise the caller's organization. */
  readonly organizationId?: string;
  readonly requestId: string;
  /** Network that the request came from (`networkOf`); absent for jobs. */
  readonly source?: string;
  /** The same of the user whom a sign-in application speaks for, as it says. Nothing but guesses is counted by it. */
  readonly userSource?: string;
  readonly now: Instant;
  readonly language: Language;
  /** The method was called in an earlier form, whose messages cannot name what version 2 added since. */
  readonly isInEarlierForm?: true;
  /** The alias of our namespace word that the caller used; absent for our own word, and where none was used. */
  readonly alias?: string;
  /**
   * Throws when the caller may no longer do what they could when the call was admitted. For work that begins later:
   * a call that waits for a turn would otherwise outlive the rights of its caller. Positions that it ended itself do
   * not count. Absent where no token was presented.
   */
  readonly confirm?: (ended?: EndedOfCaller) => Promise<void>;
  /** When the rights of the caller were read, by `performance.now()`. */
  readonly admittedAt?: number;
  /** What ends the units of work in which the operation changes something: a row of a job that is settled with it. */
  readonly companion?: Companion;
  /** Returns what is aborted when the connection or stream of the request closes; absent for jobs. */
  readonly gone?: () => AbortSignal;
  /** Notes what the log says of the request; absent for jobs. */
  readonly note?: (known: RequestNote) => void;
}
