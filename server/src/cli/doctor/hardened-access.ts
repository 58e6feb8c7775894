import { days } from "../../base/clock.ts";
import type { Reader } from "../../database/index.ts";
import { listLastingAccounts } from "../../domain/credential/index.ts";
import { listSingleFactorAdministrators } from "../../domain/factor/index.ts";
import { listUnprovenPrimaryDomains } from "../../domain/organization/index.ts";
import { listKeysMadeBefore } from "../../domain/signing-key/index.ts";
import type { Finding } from "./finding.ts";
import { byInstance, hardening, ownerName } from "./hardening.ts";

const oldestKeyDays = 365;

/** Finds weak credentials: of administrators, service accounts, organizations and the instance itself. */
export async function checkHardenedAccess(reader: Reader, now: number): Promise<Finding[]> {
  const { warning } = hardening;
  const administrators = byInstance(await listSingleFactorAdministrators(reader), ({ loginName }) => loginName);
  const accounts = byInstance(await listLastingAccounts(reader), ({ loginName }) => loginName);
  const domains = byInstance(await listUnprovenPrimaryDomains(reader), ({ domain }) => domain);
  const keys = byInstance(await listKeysMadeBefore(reader, now - days(oldestKeyDays)), ({ keyId }) => keyId);
  return [
    ...administrators.map(({ instanceId, count, names }) =>
      warning(
        `${ownerName(instanceId)}: ${count} administrators have no second factor: ${names}`,
        "the factors of these users",
        "have them add a passkey or a second factor at /ui/account, and set forceMfa",
      ),
    ),
    ...accounts.map(({ instanceId, count, names }) =>
      warning(
        `${ownerName(instanceId)}: ${count} service accounts have tokens or keys that never expire: ${names}`,
        "the tokens and keys of these accounts",
        "replace each with one that has an expiration date",
      ),
    ),
    ...domains.map(({ instanceId, count, names }) =>
      warning(
        `${ownerName(instanceId)}: ${count} primary domains are unproven: ${names}`,
        "the domains of these organizations",
        "prove them (ValidateOrgDomain), or make a proven domain the primary one",
      ),
    ),
    ...keys.map(({ instanceId, count, names }) =>
      warning(
        `${ownerName(instanceId)}: ${count} signing keys are older than ${oldestKeyDays} days: ${names}`,
        "the signing keys",
        "create and activate new ones (WebKeyService), and delete these after their tokens have expired",
      ),
    ),
  ];
}
