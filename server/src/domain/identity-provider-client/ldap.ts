import { seconds } from "../../base/clock.ts";
import {
  type LdapConnection,
  type LdapEntry,
  LdapError,
  parseLdapAddress,
  resultCodes,
} from "../../base/ldap/index.ts";
import type { Secret } from "../../base/secret.ts";
import type { ConfigurationOf } from "../identity-provider/index.ts";
import type { ExternalIdentity } from "./external-identity.ts";
import { attributesToRead, fromEntry, onlyText } from "./ldap-entry.ts";
import type { Credentials, PasswordFlowClient, ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

export interface LdapProvider {
  readonly configuration: ConfigurationOf<"ldap">;
  /** The password of the service account. */
  readonly bindPassword: Secret | undefined;
  /** The public origin of our instance. */
  readonly origin: string;
  /** Whose connections they are. */
  readonly payer: string;
}

/** The page where users enter name and password. */
export const directoryPagePath = "/idps/ldap";

const defaultTimeout = seconds(5);
/** How long all servers together may take. */
const longestCheck = seconds(60);
const longestName = 200;
const longestPassword = 1000;

/**
 * Creates a client of a directory. The service account finds the one entry with the entered name, and the entry's own
 * password is checked by a bind. The servers are tried in their order; what one of them says is final.
 */
export function createLdapClient({ ldap }: ProviderClientDeps, provider: LdapProvider): PasswordFlowClient {
  const { servers, startTls: startsTls, rootCa, timeout } = provider.configuration;
  return {
    flow: "password",
    begin: async ({ state }) => {
      const url = new URL(directoryPagePath, provider.origin);
      url.searchParams.set("state", state);
      return { url: url.href, hasChallenge: false };
    },
    check: async (credentials, mayGuess) => {
      if (!isUsable(credentials)) return undefined;
      let failure = new LdapError("unreachable");
      const end = AbortSignal.timeout(longestCheck);
      for (const server of servers) {
        const address = parseLdapAddress(server);
        if (address === undefined || end.aborted) continue;
        const signal = AbortSignal.any([end, AbortSignal.timeout(timeout === 0 ? defaultTimeout : timeout)]);
        try {
          const at = { ...address, startsTls, trusted: rootCa || undefined };
          const connection = await ldap.open(at, { payer: provider.payer, signal });
          try {
            return await checkAt(connection, provider, credentials, mayGuess);
          } finally {
            connection.end();
          }
        } catch (error) {
          if (!(error instanceof LdapError)) throw error;
          failure = error;
        }
      }
      throw new ProviderRefused("unreachable", failure.failure);
    },
  };
}

// An empty password would be an anonymous bind, which succeeds with any name (RFC 4513 §5.1.2), and some servers read
// a password only as far as its first NUL.
const isUsable = ({ username, password }: Credentials): boolean =>
  isText(username, longestName) && isText(password.reveal(), longestPassword);

const isText = (text: string, longest: number): boolean =>
  text !== "" && text.length <= longest && text.isWellFormed() && !text.includes("\0");

async function checkAt(
  connection: LdapConnection,
  { configuration, bindPassword }: LdapProvider,
  { username, password }: Credentials,
  mayGuess: (account: string) => boolean,
): Promise<ExternalIdentity | undefined> {
  if (bindPassword === undefined) throw new ProviderRefused("directory_refused");
  demandSuccess(await connection.bind(configuration.bindDn, bindPassword));
  const entry = await findEntry(connection, configuration, username);
  const name = entry && mayGuess(entry.dn.toLowerCase()) ? bindNameOf(entry, configuration) : undefined;
  // An unknown name takes as many round trips as a wrong password.
  const bound = await connection.bind(name ?? nameOfNone(configuration), password);
  const isRight = bound === resultCodes.success;
  if (!isRight) refuseInability(bound);
  return isRight && entry !== undefined && name !== undefined ? fromEntry(entry, configuration) : undefined;
}

/** Returns the only entry with a name; undefined when there is none. */
async function findEntry(
  connection: LdapConnection,
  configuration: ConfigurationOf<"ldap">,
  username: string,
): Promise<LdapEntry | undefined> {
  const { baseDn, userObjectClasses, userFilters, timeout } = configuration;
  const { resultCode, entries } = await connection.search({
    baseDn,
    filter: {
      all: [
        ...userObjectClasses.map((equals) => ({ attribute: "objectClass", equals })),
        { any: userFilters.map((attribute) => ({ attribute, equals: username })) },
      ],
    },
    attributes: attributesToRead(configuration),
    sizeLimit: 2,
    timeLimitSeconds: Math.ceil((timeout === 0 ? defaultTimeout : timeout) / 1000),
  });
  const [entry, ...others] = entries;
  if (others.length > 0 || resultCode === resultCodes.sizeLimitExceeded) throw new ProviderRefused("several_entries");
  demandSuccess(resultCode);
  return entry;
}

/** Returns the name with which an entry binds; undefined without one, which must never become an anonymous bind. */
function bindNameOf({ dn, attributes }: LdapEntry, { userBase }: ConfigurationOf<"ldap">): string | undefined {
  const name = userBase.toLowerCase() === "dn" ? dn : onlyText(attributes, userBase);
  return name === "" ? undefined : name;
}

const nameOfNone = ({ baseDn }: ConfigurationOf<"ldap">): string => `cn=no such entry,${baseDn}`;

function demandSuccess(resultCode: number): void {
  if (resultCode === resultCodes.success) return;
  refuseInability(resultCode);
  throw new ProviderRefused("directory_refused", `result ${resultCode}`);
}

/** Rejects results that say nothing about a name or a password. */
function refuseInability(resultCode: number): void {
  switch (resultCode) {
    case resultCodes.busy:
    case resultCodes.unavailable:
      throw new LdapError("unreachable");
    case resultCodes.strongerAuthRequired:
    case resultCodes.confidentialityRequired:
      throw new ProviderRefused("directory_refused", `result ${resultCode}`);
    default:
  }
}
