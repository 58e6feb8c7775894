import type { TestClient } from "../../support/oidc/oidc.ts";
import type { Estate, Somebody, UserState } from "./estate.ts";

/** For what a secret can be made, so that two secrets differ in nothing but their kind. */
export interface Subject {
  readonly person: Somebody;
  /** A client in the organization of the user, and its project. */
  readonly projectId: string;
  readonly client: TestClient;
  /** A session in which the user is named and nothing was proven. */
  readonly sessionId: string;
}

/** A secret that was made, and everything that can be done with it. */
export interface Made {
  /** The text that is presented. */
  readonly text: string;
  /** Presents a text where this secret is valid, or there at the other instance; returns the slug, or "done". */
  present(text: string, at?: "here" | "there"): Promise<string>;
  /** Presents it where the same kind of secret of another user is expected. Absent: the secret stands alone. */
  presentAsOther?(text: string): Promise<string>;
  /** Presents a secret of another kind in the form that this endpoint takes. Absent: as it is. */
  presentForeign?(text: string): Promise<string>;
  /** Milliseconds after which it is invalid; undefined: it does not expire. */
  readonly lifetime: number | undefined;
  /** Makes another one of the same kind for the same subject. Absent: several are valid at the same time. */
  renew?(): Promise<Made>;
  /** What must end it, and how that is done. */
  readonly endings: Readonly<Record<string, () => Promise<unknown>>>;
}

/** A kind of one-time secret. */
export interface Kind {
  readonly name: string;
  /** Kinds of the source and columns of the database (`table.column`) that this proves. */
  readonly covers: readonly string[];
  /** The refusals of an invalid secret. */
  readonly refusals: readonly string[];
  /** Whether case and dashes do not matter, because users type it. */
  readonly isForgiving?: boolean;
  /** Whether it is signed; signed texts have tests of their own for near misses. */
  readonly hasNoLetters?: boolean;
  /** Whether its end is not exact to the second, because of time steps or of a nonce that ends before it. */
  readonly hasVagueEnd?: boolean;
  /** The states of users that it can be made for, when not all. Absent: it is not a user's. */
  readonly userStates?: readonly UserState[];
  /** Whether a sign-in with a password gives it, which is not enough for a user with a second factor. */
  readonly isSignIn?: boolean;
  /** Makes one, for a new user to whom anything may happen, or for the given subject. */
  make(estate: Estate, subject?: Subject): Promise<Made>;
}

/** Returns texts that look like a secret and are not: too short, another last letter, another case. */
export function lookalikes(text: string, isForgiving = false): string[] {
  const last = text.at(-1);
  const texts = [text.slice(0, -1), text.slice(0, -2) + (last === "A" ? "BB" : "AA")];
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
  return isForgiving || swapped === text ? texts : [...texts, swapped];
}
