import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../http/free-port.ts";
import { testCertificate } from "../http/test-certificate.ts";

/** A directory of OpenLDAP's server, with the entries of a test. */
export interface Slapd {
  /** `ldap://localhost:<port>`; StartTLS works. */
  readonly url: string;
  /** `ldaps://localhost:<port>`. */
  readonly secureUrl: string;
  readonly baseDn: string;
  readonly serviceDn: string;
  readonly servicePassword: string;
}

const programs = { slapd: "/usr/sbin/slapd", slapadd: "/usr/sbin/slapadd" };
const baseDn = "dc=example,dc=org";
const serviceDn = `cn=service,${baseDn}`;
const servicePassword = "service-password-4711";

/** Why tests with OpenLDAP are skipped; `false` when they run. Under `CI=true` they run, and fail without it. */
export function reasonWithoutSlapd(): string | false {
  if (existsSync(programs.slapd) || process.env["CI"] === "true") return false;
  return "OpenLDAP's server is missing: apt-get install slapd";
}

// An anonymous bind with a name succeeds, as with servers that are set up badly: a client must not rely on a refusal.
const settings = (directory: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${directory}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
allow bind_anon_cred
TLSCertificateFile ${directory}/cert.pem
TLSCertificateKeyFile ${directory}/key.pem
database mdb
suffix "${baseDn}"
directory ${directory}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${serviceDn}" read by * none
`;

const organization = `dn: ${baseDn}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ${serviceDn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: service
userPassword: ${servicePassword}
`;

/** Starts a server with entries (LDIF); it ends with the test. */
export async function startSlapd(t: TestContext, entries: string): Promise<Slapd> {
  const directory = mkdtempSync(join(tmpdir(), "doorward-slapd-"));
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  write("cert.pem", testCertificate.cert);
  write("key.pem", testCertificate.key);
  spawnSync("mkdir", [join(directory, "data")]);
  const file = write("slapd.conf", settings(directory));
  const ldif = write("entries.ldif", `${organization}\n${entries}`);
  const added = spawnSync(programs.slapadd, ["-q", "-f", file, "-l", ldif], { encoding: "utf8" });
  if (added.status !== 0) throw new Error(`slapadd failed: ${added.stderr || String(added.error)}`);
  const [port, securePort] = [await freePort(), await freePort()];
  const listeners = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`;
  const child = launch(["-f", file, "-h", listeners, "-d", "0"]);
  t.after(async () => {
    const exited = once(child, "exit");
    child.stdin?.end();
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  await answers(port);
  return {
    url: `ldap://localhost:${port}`,
    secureUrl: `ldaps://localhost:${securePort}`,
    baseDn,
    serviceDn,
    servicePassword,
  };
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

const launch = (options: readonly string[]): ChildProcess =>
  spawn("/bin/sh", ["-c", keeper, "sh", programs.slapd, ...options], { stdio: ["pipe", "ignore", "ignore"] });

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect({ host: "127.0.0.1", port });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error("slapd does not answer");
}
