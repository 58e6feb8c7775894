import { type Clock, days, minutes, seconds } from "../../base/clock.ts";
import { parseMasterKey } from "../../base/master-key.ts";
import { createConnect, createSystemResolve } from "../../base/outbound/index.ts";
import { systemRandom } from "../../base/random.ts";
import { createVault } from "../../base/vault.ts";
import type { Config } from "../../config/index.ts";
import type { Inspection } from "../../database/index.ts";
import { findFirstInstance } from "../../domain/instance/index.ts";
import { listUnreachableNames } from "../../domain/login-name/index.ts";
import { findActiveProvider, findClosedMailServers } from "../../domain/message-provider/index.ts";
import { countFailedNotifications, countOverdueNotifications } from "../../domain/notification/index.ts";
import { countSealedByFormerKeys } from "../../domain/reencryption/index.ts";
import { listSignInGaps } from "../../domain/settings/index.ts";
import { inspectSigningKeys, type SigningKeyHealth } from "../../domain/signing-key/index.ts";
import { masterKeyFile, readMasterKeyFile } from "../master-key.ts";
import { type Finding, findingsOf } from "./finding.ts";

/**
 * Checks the contents of a database with our schema: readable keys, signing keys, expired data, undelivered mail, login
 * settings, usernames. */
export async function checkData(config: Config, inspection: Inspection, clock: Clock): Promise<Finding[]> {
  return [
    ...(await checkKeys(config, inspection)),
    ...(await checkTimes(inspection, clock)),
    ...(await checkMail(config, inspection, clock)),
    ...(await checkSignIn(inspection)),
    ...(await checkNames(inspection)),
  ];
}

async function checkKeys(config: Config, { read }: Inspection): Promise<Finding[]> {
  const { ok, error } = findingsOf("master key");
  const instance = await findFirstInstance(read);
  if (instance === undefined) return [ok("the database is empty, so any key works")];
  const inDevelopment = config.mode === "dev" ? await readMasterKeyFile(masterKeyFile(config)) : undefined;
  const texts = config.masterKeys.length > 0 ? config.masterKeys.map((key) => key.reveal()) : [inDevelopment];
  const [writing, ...reading] = texts.flatMap((text) => (text === undefined ? [] : [parseMasterKey(text)]));
  const setting = "DOORWARD_MASTER_KEY";
  if (writing === undefined) {
    return [error("there is data, but no key to decrypt its secrets", setting, "set the key that encrypted them")];
  }
  const vault = createVault({ writing, reading, random: systemRandom });
  const { activeAlgorithms, unreadable } = await inspectSigningKeys({ read, vault }, instance.instanceId);
  const wrong = describeUnreadable(unreadable);
  const found = wrong === undefined ? [ok("it decrypts the signing keys")] : [wrong];
  if (reading.length > 0) found.push(describeFormer(await countSealedByFormerKeys(read, vault)));
  return [...found, checkSigning(activeAlgorithms)];
}

/** Whether the former keys are still needed. */
function describeFormer(count: number): Finding {
  const { ok, warning } = findingsOf("former master keys");
  if (count === 0) return ok("nothing is encrypted under them any longer: they can be removed");
  return warning(
    `${count} stored secrets are encrypted under a former key`,
    "DOORWARD_MASTER_KEY",
    "keep it until the running server has re-encrypted them (job reencrypt, every ten minutes)",
  );
}

function describeUnreadable(unreadable: SigningKeyHealth["unreadable"]): Finding | undefined {
  const [first] = unreadable;
  if (first === undefined) return undefined;
  const isOtherKey = first.reason === "unknown_master_key";
  const keys = `signing ${unreadable.length === 1 ? "key" : "keys"} ${unreadable.map(({ keyId }) => keyId).join(", ")}`;
  return findingsOf("master key").error(
    isOtherKey ? `it is not the one that encrypted ${keys}` : `${keys}: ${first.reason}`,
    "DOORWARD_MASTER_KEY",
    isOtherKey
      ? "set the key that encrypted the data; to replace it, put the new key first, then a comma and the former key"
      : "restore the database from a backup, or delete the key",
  );
}

function checkSigning(activeAlgorithms: readonly string[]): Finding {
  const { ok, error } = findingsOf("signing keys");
  if (activeAlgorithms.length > 0) return ok(`active for ${activeAlgorithms.join(", ")}`);
  return error(
    "no key is active, so no token can be signed",
    "signing keys",
    "create and activate one (WebKeyService)",
  );
}

async function checkTimes(inspection: Inspection, clock: Clock): Promise<Finding[]> {
  const { ok, error } = findingsOf("clock");
  const newest = await inspection.newestEventAt();
  if (newest === undefined || newest <= clock() + seconds(5))
    return inspection.engine === "sqlite" ? [ok("it has not gone back")] : [];
  const ahead = Math.round((newest - clock()) / 1000);
  const message = `the newest event was written ${ahead} s in the future: the clock was ahead then, or has been set back since`;
  return [error(message, "the clock of the machine", "synchronize it (NTP)")];
}

async function checkSignIn({ read }: Inspection): Promise<Finding[]> {
  const { ok, error } = findingsOf("sign-in");
  const gaps = await listSignInGaps(read);
  if (gaps.length === 0) return [ok("the login settings leave every user a way to sign in")];
  return gaps.map(({ instanceId, organizationId, gap }) => {
    const owner = organizationId === "" ? `instance ${instanceId}` : `organization ${organizationId}`;
    return error(
      gap === "first_factor"
        ? `no user of ${owner} can sign in: neither passwords and passkeys nor an active identity provider are allowed`
        : `no user of ${owner} can sign in: a second factor is required, and none is allowed`,
      `the login settings of ${owner}`,
      "doorward admin recover --login-name NAME --reset-login-settings",
    );
  });
}

async function checkNames({ read }: Inspection): Promise<Finding[]> {
  const found = await listUnreachableNames(read);
  if (found.length === 0) return [];
  const most = 20;
  const named = found
    .slice(0, most)
    .map(({ username, userId, organizationId }) => `${username} (user ${userId} of organization ${organizationId})`);
  const list = found.length > most ? `${named.join(", ")} and others` : named.join(", ");
  const message = `users cannot sign in with their username or address, because an earlier user has it with another spelling of the domain: ${list}`;
  return [
    findingsOf("usernames").warning(
      message,
      "the names of these users",
      "give each of them another username and address, or delete them",
    ),
  ];
}

const describeClosed = (hosts: readonly string[]): string =>
  `connections to ${hosts.join(", ")} are not allowed: a private network, or not a mail port`;
const fixOfClosed = "add the mail server, with its port unless that is 25, 465, 587 or 2525";

async function checkMail({ mode, outboundAllow }: Config, { read }: Inspection, clock: Clock): Promise<Finding[]> {
  const { ok, warning } = findingsOf("mail");
  const setting = "the email provider of the instance";
  const rules = { allow: outboundAllow, isAnyLoopbackPortOpen: mode === "dev" };
  const instance = await findFirstInstance(read);
  const provider = instance && (await findActiveProvider(read, instance.instanceId, "email"));
  if (provider === undefined) {
    if (mode === "dev") return [ok("it is captured, nothing is sent")];
    return [
      warning(
        "no email provider is active, so mail waits to be sent",
        setting,
        "add one and activate it (AdminService)",
      ),
    ];
  }
  const fix = "check the log for its responses, and test it (TestEmailProviderSMTPById)";
  const judge = await findClosedMailServers(read, createConnect({ ...rules, resolve: createSystemResolve() }));
  const closed = (await judge()).map(({ host }) => host);
  const overdue = await countOverdueNotifications(read, clock() - minutes(10));
  const failed = await countFailedNotifications(read, clock() - days(1));
  const found = [
    ...(closed.length === 0 ? [] : [warning(describeClosed(closed), "DOORWARD_OUTBOUND_ALLOW", fixOfClosed)]),
    ...(overdue === 0 ? [] : [warning(`${overdue} messages have been waiting for more than 10 minutes`, setting, fix)]),
    ...(failed === 0 ? [] : [warning(`${failed} messages were given up in the last 24 hours`, setting, fix)]),
  ];
  return found.length > 0 ? found : [ok("no messages are waiting")];
}
