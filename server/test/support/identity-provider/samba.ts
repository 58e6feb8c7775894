import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import { testCertificate } from "../http/test-certificate.ts";
import { programFiles, startForeignProgram } from "../servers/foreign-program.ts";

/** An Active Directory domain of Samba, with the users of a test. */
export interface SambaDomain {
  /** `ldap://localhost:<port>`; binds need StartTLS. */
  readonly url: string;
  /** `ldaps://localhost:<port>`. */
  readonly secureUrl: string;
  readonly baseDn: string;
  readonly serviceDn: string;
  readonly servicePassword: string;
}

export interface SambaUser {
  /** The `sAMAccountName`. */
  readonly username: string;
  readonly password: string;
  readonly givenname?: string;
  readonly surname?: string;
  readonly mailaddress?: string;
  /** The user has to choose another password before anything else. */
  readonly must_change?: boolean;
  readonly is_disabled?: boolean;
}

const python = "/usr/bin/python3";
const samba = "/usr/sbin/samba";
const servicePassword = "Service-password-4711";

/** Why tests with Samba are skipped; `false` when they run. Under `CI=true` they run, and fail without it. */
export function reasonWithoutSamba(): string | false {
  if (process.env["CI"] === "true") return false;
  if (!existsSync(samba) || !existsSync("/usr/share/samba/setup/ad-schema")) {
    return "Samba's domain controller is missing: apt-get install samba-ad-dc samba-ad-provision";
  }
  return process.getuid?.() === 0 ? false : "Samba listens at the ports 389 and 636, which only root may use";
}

/** Starts the directory of a domain controller, and none of its other services; it ends with the test. */
export async function startSamba(t: TestContext, users: readonly SambaUser[]): Promise<SambaDomain> {
  const { directory, write } = programFiles("samba");
  await makeDomain({ directory, password: servicePassword, users });
  write("cert.pem", testCertificate.cert);
  write("key.pem", testCertificate.key, 0o600);
  // Its ports cannot be changed, so each has an address of its own.
  const address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const file = write("samba.conf", configuration(directory, address));
  await startForeignProgram(t, {
    command: samba,
    options: ["-s", file, "--foreground", "--no-process-group", "-M", "single"],
    directory,
    address,
    port: 636,
  });
  return {
    url: `ldap://localhost:${await forward(t, address, 389)}`,
    secureUrl: `ldaps://localhost:${await forward(t, address, 636)}`,
    baseDn: "dc=example,dc=org",
    serviceDn: "cn=Administrator,cn=Users,dc=example,dc=org",
    servicePassword,
  };
}

async function makeDomain(given: object): Promise<void> {
  const child = spawn(python, ["-B", join(import.meta.dirname, "samba_domain.py")], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  child.stdin.end(`${JSON.stringify(given)}\n`);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`no domain: ${said}`);
}

const configuration = (directory: string, address: string): string => `[global]
private dir = ${directory}/private
state directory = ${directory}/state
cache directory = ${directory}/cache
lock directory = ${directory}
binddns dir = ${directory}/bind-dns
pid directory = ${directory}
ncalrpc dir = ${directory}/ncalrpc
log file = ${directory}/log
netbios name = DC
realm = EXAMPLE.ORG
workgroup = EXAMPLE
server role = active directory domain controller
server services = ldap
interfaces = ${address}/8
bind interfaces only = yes
tls certfile = ${directory}/cert.pem
tls keyfile = ${directory}/key.pem
tls cafile =
`;

/** Makes a port of the directory one of `localhost`, for which the certificate is. */
async function forward(t: TestContext, host: string, port: number): Promise<number> {
  const server = createServer((from) => {
    const to = connect({ host, port });
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
