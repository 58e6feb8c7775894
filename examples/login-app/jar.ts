import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/**
 * A session of this browser. Its id and token together let any holder use it, so both are only in the sealed cookie.
 */
export interface HeldSession {
  readonly id: string;
  readonly token: string;
}

/** One attempt to sign in with this browser. Several tabs have several. */
export interface Attempt {
  readonly id: string;
  /** The authorization request that waits for it. */
  readonly authRequest?: string;
  /** The device that waits for it. */
  readonly device?: string;
  /** How the device describes itself, for the page where it is allowed. */
  readonly deviceName?: string;
  readonly scope?: string;
  /** The name that the user typed. */
  loginName?: string;
  /** The session that it adds to; absent before a first factor is proven. */
  sessionId?: string;
  /** The second factor by which a code was sent. */
  sent?: string;
  /** What was wrong with the last form: shown once. */
  problem?: string;
}

/** All that a browser keeps. */
export interface Jar {
  /** Names the browser towards the server. */
  readonly browser: string;
  /** In every form: another site can send forms, but it cannot know this. */
  readonly csrf: string;
  sessions: HeldSession[];
  attempts: Attempt[];
}

const newId = (): string => randomBytes(16).toString("base64url");

const emptyJar = (): Jar => ({ browser: newId(), csrf: newId(), sessions: [], attempts: [] });

// A cookie holds 4 kB.
const mostSessions = 8;
const mostAttempts = 6;

/** Keeps a session, with the token of its latest write: those of earlier writes are dead. */
export function holdSession(jar: Jar, session: HeldSession): void {
  jar.sessions = [session, ...jar.sessions.filter(({ id }) => id !== session.id)].slice(0, mostSessions);
}

export function dropSession(jar: Jar, sessionId: string): void {
  jar.sessions = jar.sessions.filter(({ id }) => id !== sessionId);
}

/** Starts a sign-in. */
export function openAttempt(jar: Jar, attempt: Omit<Attempt, "id">): Attempt {
  const opened = { ...attempt, id: newId() };
  jar.attempts = [opened, ...jar.attempts].slice(0, mostAttempts);
  return opened;
}

export function closeAttempt(jar: Jar, { id }: Attempt): void {
  jar.attempts = jar.attempts.filter((attempt) => attempt.id !== id);
}

/** Seals what a browser keeps (AES-256-GCM), so that it can neither be read nor changed there. */
export function createSealer(key: Buffer) {
  return {
    seal(jar: Jar): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(jar), "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    /** Opens what was sealed; an empty jar for everything that was not sealed with this key. */
    open(text: string): Jar {
      const bytes = Buffer.from(text, "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
        decipher.setAuthTag(bytes.subarray(12, 28));
        const opened = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
        return JSON.parse(opened.toString("utf8")) as Jar;
      } catch {
        return emptyJar();
      }
    },
  };
}
