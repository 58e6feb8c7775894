import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

/** A directory of its own for the files of a program. */
export interface ProgramFiles {
  readonly directory: string;
  /** Writes a file there, and returns its path. */
  write(name: string, text: string, mode?: number): string;
}

/** Makes a directory, which is removed when its program has ended. */
export function programFiles(name: string): ProgramFiles {
  const directory = mkdtempSync(join(tmpdir(), `doorward-${name}-`));
  return {
    directory,
    write: (file, text, mode = 0o644) => {
      writeFileSync(join(directory, file), text, { mode });
      return join(directory, file);
    },
  };
}

export interface ForeignProgram {
  readonly command: string;
  /** Removed when it has ended. */
  readonly directory: string;
  readonly options: readonly string[];
  /** Where it listens once it has started. */
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly address?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server that others wrote. It ends with the test, and also when this process dies. */
export async function startForeignProgram(t: TestContext, program: ForeignProgram): Promise<void> {
  const { command, directory, options, address = "127.0.0.1", port, env } = program;
  const child = spawn("/bin/sh", ["-c", keeper, "sh", command, ...options], {
    stdio: ["pipe", "ignore", "ignore"],
    ...(env !== undefined && { env: { ...process.env, ...env } }),
  });
  t.after(async () => {
    const exited = once(child, "exit");
    child.stdin?.end();
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  await answers(command, address, port);
}

// Keeps the server until its input closes, however the process at the other end ended.
const keeper = `
  exec 3<&0
  "$@" </dev/null 3<&- >/dev/null 2>&1 &
  server=$!
  trap "" INT TERM HUP
  read word <&3
  kill -TERM $server 2>/dev/null
  wait $server`;

async function answers(command: string, host: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const socket = connect({ host, port });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`${command} does not answer`);
}
