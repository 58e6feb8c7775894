import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** The outcome of a request for a package: it is there now, or one sentence says why not and what to do. */
export type Ensured = { readonly installed: true } | { readonly installed: false; readonly reason: string };

export interface EnsureOptions {
  /** Printed once, before anything is installed, because it takes a minute. */
  readonly tell?: (message: string) => void;
}

const lockDirectory = "/tmp/doorward-apt.lock";
const longestInstall = 10 * 60_000;

/**
 * Installs a Debian package when this machine allows it without a question: Debian or a relative, as root. Parallel
 * callers wait for each other. Services of the package are not started: `policy-rc.d` forbids it, and PostgreSQL is
 * configured not to create its `main` cluster.
 */
export async function ensureDebianPackage(name: string, options: EnsureOptions = {}): Promise<Ensured> {
  if (isInstalled(name)) return { installed: true };
  const obstacle = whyNot();
  if (obstacle !== undefined) {
    return { installed: false, reason: `${obstacle}; install it with: apt-get install ${name}` };
  }
  const release = await acquireLock();
  try {
    if (isInstalled(name)) return { installed: true };
    options.tell?.(`installing Debian's package ${name} (once per machine)`);
    return install(name);
  } finally {
    release();
  }
}

/** Whether dpkg knows the package as installed. False where there is no dpkg. */
function isInstalled(name: string): boolean {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is dpkg's
  const query = spawnSync("dpkg-query", ["-W", "-f=${db:Status-Status}", name], { encoding: "utf8" });
  return query.status === 0 && query.stdout.trim() === "installed";
}

function whyNot(): string | undefined {
  if (process.platform !== "linux" || !existsSync("/etc/debian_version")) return "this is not a Debian system";
  if (process.getuid?.() !== 0) return "only root can install packages";
  return undefined;
}

function install(name: string): Ensured {
  const undo = forbidServices();
  try {
    const steps = [["update"], ["install", "-y", "--no-install-recommends", name]];
    for (const step of steps) {
      const run = spawnSync(
        "apt-get",
        ["-q", "-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Options::=--force-confold", ...step],
        {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
          maxBuffer: 64 * 1024 * 1024,
          timeout: longestInstall,
          env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
        },
      );
      if (run.status !== 0) {
        const lastWords = `${run.stderr ?? ""}`.trim().split("\n").slice(-3).join(" ");
        return { installed: false, reason: `apt-get ${step.join(" ")} failed: ${lastWords}` };
      }
    }
    return { installed: true };
  } finally {
    undo();
  }
}

// Tests start their own servers; a system-wide one would only take memory and a port.
function forbidServices(): () => void {
  const policy = "/usr/sbin/policy-rc.d";
  const createCluster = "/etc/postgresql-common/createcluster.conf";
  const undo: (() => void)[] = [];
  if (!existsSync(policy)) {
    writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    undo.push(() => rmSync(policy, { force: true }));
  }
  if (!existsSync(createCluster)) {
    mkdirSync("/etc/postgresql-common", { recursive: true });
    writeFileSync(createCluster, "create_main_cluster = false\n");
  }
  return () => {
    for (const step of undo) step();
  };
}

// A directory is made by exactly one process. When its owner has died (its pid is inside), the lock is taken over.
async function acquireLock(): Promise<() => void> {
  for (;;) {
    try {
      mkdirSync(lockDirectory);
      writeFileSync(`${lockDirectory}/pid`, String(process.pid));
      return () => rmSync(lockDirectory, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (!ownerLives()) rmSync(lockDirectory, { recursive: true, force: true });
    await wait(500);
  }
}

function ownerLives(): boolean {
  try {
    const pid = Number(readFileSync(`${lockDirectory}/pid`, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
