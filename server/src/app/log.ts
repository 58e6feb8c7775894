import pino, { type Logger } from "pino";
import type { Config } from "../config/index.ts";

export type Log = Logger;

// Secrets have a type that cannot be printed; these are the names under which strangers bring theirs.
const redacted = ["authorization", "cookie", "set-cookie", "password", "client_secret", "token", "code", "assertion"];

/** The log on standard error; standard output belongs to what a command was asked for. */
export async function createLog({ level, format }: Config["log"]): Promise<Log> {
  const options = {
    level,
    redact: { paths: redacted.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: "[secret]" },
  };
  if (format === "json") return pino(options, pino.destination({ dest: 2, sync: false }));
  const { default: pretty } = await import("pino-pretty");
  return pino(options, pretty({ destination: 2, sync: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss" }));
}
