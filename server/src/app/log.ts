import { constants } from "node:os";
import { stderr } from "node:process";
import pino, { type Logger } from "pino";
import type { Config } from "../config/index.ts";
import { createLogLine } from "./log-line.ts";

export type Log = Logger;

// Our own secrets have a type that cannot be printed; these are the names under which callers send theirs.
const redacted = ["authorization", "cookie", "set-cookie", "password", "client_secret", "token", "code", "assertion"];

/**
 * The forms of reasons, which no code of a sign-in has: words with underscores between them (`invalid_grant`,
 * `CERT_HAS_EXPIRED`, `EAI_AGAIN`), and those of SQL (`23505`).
 */
const reason = /^(?=.{3,64}$)(?:[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z0-9]+)+|(?:08|0A|2[0-8]|40|42|5[3-8]|XX)[0-9A-Z]{3})$/;

/** Reasons of one word: failures of the system and of lookups, and those of `Fault`. */
const plainReasons: ReadonlySet<unknown> = new Set([
  ...Object.keys(constants.errno),
  "ENOTFOUND",
  "ETIMEOUT",
  "aborted",
  "internal",
  "unauthenticated",
  "unavailable",
  "unimplemented",
]);

/**
 * Conceals a secret. Errors call their reason `code` as well: within another field it is shown, where it has the form
 * of one.
 */
function conceal(value: unknown, path: readonly string[]): unknown {
  const isShown = path.length > 1 && path.at(-1) === "code" && typeof value === "string";
  return isShown && (reason.test(value) || plainReasons.has(value)) ? value : "[secret]";
}

/** Creates the log on standard error; standard output is for the results of commands. */
export function createLog({ level, format }: Config["log"]): Log {
  const options = {
    level,
    redact: { paths: redacted.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: conceal },
  };
  if (format === "json") return pino(options, pino.destination({ dest: 2, sync: false }));
  const toLine = createLogLine({ hasColours: stderr.isTTY && stderr.hasColors() });
  const destination = pino.destination({ dest: 2, sync: true });
  return pino(options, { write: (json: string) => destination.write(toLine(json)) });
}
