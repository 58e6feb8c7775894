import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ending } from "../support/databases/databases.ts";
import { makeDirectory, type Outcome, runCommand } from "../support/servers/command.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import { appCode } from "../support/sign-in/totp.ts";

/** Path of a sample file. */
export const sample = (name: string): string => join(import.meta.dirname, "files", name);

/** What the command answered and reported. */
export interface Imported extends Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  readonly result: any;
  readonly lines: readonly Line[];
  /** Everything that was printed or written. */
  readonly said: string;
}

interface Line {
  readonly row: number;
  readonly user: string;
  readonly field: string;
  readonly what: string;
  readonly why: string;
}

/** Runs `doorward user import` against a server, with a report. */
export async function runImport(
  t: Ending,
  server: TestServer,
  args: readonly string[],
  token = server.ownerToken,
): Promise<Imported> {
  const directory = makeDirectory(t);
  const report = join(directory, "report.ndjson");
  writeFileSync(join(directory, "token"), token);
  const outcome = await runCommand(
    t,
    ["user", "import", ...args, "--report", report, "--json", "--url", server.origin, "--token-file", "token"],
    { in: directory },
  );
  const written = readIfThere(report);
  return {
    ...outcome,
    result: outcome.stdout === "" ? undefined : JSON.parse(outcome.stdout),
    lines: written
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line),
    said: written + outcome.stdout + outcome.stderr,
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Returns the lines of a report about one user, as `what field`. */
export const linesOf = ({ lines }: Imported, user: string): readonly string[] =>
  lines.filter((line) => line.user === user).map(({ what, field }) => `${what} ${field}`);

/** Returns a user, as the API has them. */
export async function readUser(server: TestServer, userId: string): Promise<RestAnswer["body"]> {
  const answer = await server.connect("service.user.v2.UserService/GetUserByID", { userId });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.user;
}

/** Returns the metadata of a user as texts. */
export async function readMetadata(server: TestServer, userId: string): Promise<Record<string, string>> {
  const { body } = await server.connect("service.user.v2.UserService/ListUserMetadata", { userId });
  return Object.fromEntries(
    (body.metadata ?? []).map(({ key, value }: { key: string; value: string }) => [
      key,
      Buffer.from(value, "base64").toString(),
    ]),
  );
}

/** Returns whether a user signs in with a password, and a code of an app if there is a secret. */
export async function signsIn(
  server: TestServer,
  loginName: string,
  { password, secret }: { readonly password: string; readonly secret?: string },
): Promise<boolean> {
  const checks = {
    user: { loginName },
    password: { password },
    ...(secret !== undefined && { totp: { code: appCode(secret, server.clock.now) } }),
  };
  const { status } = await server.rest("POST", "/v2/sessions", { body: { checks } });
  return status === 201;
}
