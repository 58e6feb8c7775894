import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import { freePort } from "../http/free-port.ts";
import { testCertificate } from "../http/test-certificate.ts";
import { programFiles, startForeignProgram } from "../servers/foreign-program.ts";

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
  const { directory, write } = programFiles("slapd");
  write("cert.pem", testCertificate.cert);
  write("key.pem", testCertificate.key);
  spawnSync("mkdir", [join(directory, "data")]);
  const file = write("slapd.conf", settings(directory));
  const ldif = write("entries.ldif", `${organization}\n${entries}`);
  const added = spawnSync(programs.slapadd, ["-q", "-f", file, "-l", ldif], { encoding: "utf8" });
  if (added.status !== 0) throw new Error(`slapadd failed: ${added.stderr || String(added.error)}`);
  const [port, securePort] = [await freePort(), await freePort()];
  const listeners = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`;
  const options = ["-f", file, "-h", listeners, "-d", "0"];
  await startForeignProgram(t, { command: programs.slapd, options, directory, port });
  return {
    url: `ldap://localhost:${port}`,
    secureUrl: `ldaps://localhost:${securePort}`,
    baseDn,
    serviceDn,
    servicePassword,
  };
}
