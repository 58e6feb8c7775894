import type { TestClient } from "../../support/oidc.ts";
import type { Estate, Somebody, Way } from "./estate.ts";

/** For whom a secret can be made, so that two secrets differ in nothing but their kind. */
export interface Subject {
  readonly person: Somebody;
  /** A client in the organization of the person, and its project. */
  readonly projectId: string;
  readonly client: TestClient;
  /** A session in which the person is named and nothing was proven. */
  readonly sessionId: string;
}

/** A secret that was made, and everything that can be done with it. */
export interface Made {
  /** What is presented. */
  readonly text: string;
  /** Presents a text where this one is good; of the other instance: the same place there. The words say what came of it, "done" for the effect. */
  present(text: string, at?: "here" | "there"): Promise<string>;
  /** Presents it where the same kind of secret of somebody else is awaited. Absent: the secret is named by itself alone. */
  presentAsOther?(text: string): Promise<string>;
  /** Presents a secret of another kind in the form that this place takes. Absent: as it is. */
  presentForeign?(text: string): Promise<string>;
  /** Milliseconds after which it is of no use any more; undefined: it does not get old. */
  readonly lifetime: number | undefined;
  /** Makes another one of the same kind for the same subject. Absent: several are good at the same time. */
  renew?(): Promise<Made>;
  /** What must end it, and how that is done. */
  readonly endings: Readonly<Record<string, () => Promise<unknown>>>;
}

/** A kind of one-time secret. */
export interface Kind {
  readonly name: string;
  /** Kinds of the source and columns of the database (`table.column`) that this is the proof of. */
  readonly covers: readonly string[];
  /** In which words it is refused to whoever presents what is no good (any more). */
  readonly refusals: readonly string[];
  /** Whether case and dashes do not matter, because people type it. */
  readonly isForgiving?: boolean;
  /** Whether it is something signed, which has tests of its own for what is not quite it. */
  readonly hasNoLetters?: boolean;
  /** Whether its end is not to the second, because it goes by steps or has a nonce that ends before it. */
  readonly hasVagueEnd?: boolean;
  /** How those may be whom it can be made for, when that is not left to it. Absent: it is not of a person. */
  readonly ways?: readonly Way[];
  /** Whether it is had by a sign-in with a password, which is not enough any more for who has a second factor. */
  readonly isSignIn?: boolean;
  /** Makes one, for somebody to whom anything may happen; or for whoever is given. */
  make(estate: Estate, subject?: Subject): Promise<Made>;
}

/** The texts that look like a secret and are not: too short, another last letter, another case. */
export function lookalikes(text: string, isForgiving = false): string[] {
  const last = text.at(-1);
  const texts = [text.slice(0, -1), text.slice(0, -2) + (last === "A" ? "BB" : "AA")];
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
  return isForgiving || swapped === text ? texts : [...texts, swapped];
}
