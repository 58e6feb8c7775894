import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import { type ProgramFiles, startForeignProgram } from "../../support/servers/foreign-program.ts";

const programs = "/usr/sbin/apache2";
const modules = "/usr/lib/apache2/modules";

/** Why tests with a module of Apache are skipped; `false` when they run. Under `CI=true` they run, and fail. */
export function reasonWithoutApache(module: string, debianPackage: string): string | false {
  const isThere = existsSync(programs) && existsSync(`${modules}/mod_${module}.so`);
  if (isThere || process.env["CI"] === "true") return false;
  return `Apache with mod_${module} is missing: apt-get install ${debianPackage}`;
}

export interface ApacheOptions {
  readonly files: ProgramFiles;
  readonly port: number;
  /** The module that is tested. */
  readonly module: string;
  /** Its directives. */
  readonly directives: string;
}

const common = ["mpm_event", "authn_core", "authz_core", "authz_user", "headers", "dir"];

/** Starts Apache with one process, which serves pages below `/private` and `/public`. */
export async function startApache(t: TestContext, { files, port, module, directives }: ApacheOptions): Promise<void> {
  const { directory } = files;
  // Its workers are another user than root.
  chmodSync(directory, 0o755);
  for (const page of ["private", "public"]) {
    mkdirSync(join(directory, "pages", page), { recursive: true });
    writeFileSync(join(directory, "pages", page, "index.html"), `<title>${page}</title>`);
  }
  const file = files.write(
    "apache.conf",
    `ServerRoot ${directory}
ServerName 127.0.0.1:${port}
Listen 127.0.0.1:${port}
PidFile ${directory}/pid
ErrorLog ${directory}/log
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
${[...common, module].map((name) => `LoadModule ${name === "shib" ? "mod_shib" : `${name}_module`} ${modules}/mod_${name}.so`).join("\n")}
StartServers 1
ServerLimit 1
ThreadsPerChild 8
MinSpareThreads 1
MaxSpareThreads 8
MaxRequestWorkers 8
DocumentRoot ${directory}/pages
DirectoryIndex index.html
${directives}
`,
  );
  const options = ["-f", file, "-D", "FOREGROUND"];
  await startForeignProgram(t, { command: programs, options, directory, port });
}
