import { stderr } from "node:process";
import pino, { type Logger } from "pino";
import type { Config } from "../config/index.ts";
import { createLogLine } from "./log-line.ts";

export type Log = Logger;

// Our own secrets have a type that cannot be printed; these are the names under which callers send theirs.
const redacted = ["authorization", "cookie", "set-cookie", "password", "client_secret", "token", "code", "assertion"];

/** Creates the log on standard error; standard output is for the results of commands. */
export function createLog({ level, format }: Config["log"]): Log {
  const options = {
    level,
    redact: { paths: redacted.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: "[secret]" },
  };
  if (format === "json") return pino(options, pino.destination({ dest: 2, sync: false }));
  const toLine = createLogLine({ hasColours: stderr.isTTY && stderr.hasColors() });
  const destination = pino.destination({ dest: 2, sync: true });
  return pino(options, { write: (json: string) => destination.write(toLine(json)) });
}
