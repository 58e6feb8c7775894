import { addressKey, isMailDomain } from "../../base/names/address-key.ts";
import { ask, type MigrationStep } from "../migration-step.ts";
import { sql } from "../sql.ts";

interface Named {
  readonly userId: string;
  readonly username: string;
  /** Since when the user has the username. */
  readonly since: number;
}

interface User extends Named {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly usernameKey: string;
  readonly loginNameKey: string;
  readonly email: string | null;
  readonly emailKey: string | null;
  /** When a code proved the address, if one did and it is verified. */
  readonly provenAt: number | null;
}

const batch = 500;

/**
 * Step of migration 124: writes the keys of usernames, login names and addresses again, whose domains were compared as
 * they were typed. Where several users of an organization have the same username, or several users proved the same
 * address, the earliest keeps it: otherwise it would identify none of them. One whose domain only looks like the domain
 * that it is compared as never gets it: mail to it goes elsewhere, and new addresses are refused for it. No name means
 * the others until they get another one, which `doorward doctor` asks for: what is looked up has no upper-case letter.
 */
export function* convertAddressKeys(): MigrationStep {
  let last: Pick<User, "instanceId" | "userId"> | undefined = { instanceId: "", userId: "" };
  while (last !== undefined) {
    const users: readonly User[] = yield* ask<User>(sql`select instance_id as "instanceId", user_id as "userId",
        organization_id as "organizationId", username, username_key as "usernameKey", login_name_key as "loginNameKey",
        email, email_key as "emailKey", username_set_at as "since",
        case when is_email_verified = 1 then email_proven_at end as "provenAt"
      from users where (instance_id, user_id) > (${last.instanceId}, ${last.userId})
        and (octet_length(login_name_key) <> length(login_name_key) or octet_length(email_key) <> length(email_key)
          or strpos(login_name_key || '@', '.@') > 0)
      order by instance_id, user_id limit ${batch}`);
    for (const user of users) {
      yield* convertEmail(user);
      yield* convertUsername(user);
    }
    last = users.at(-1);
  }
}

function* convertEmail({ instanceId, userId, email, emailKey, provenAt }: User): MigrationStep {
  const key = email === null ? null : addressKey(email);
  if (key === null || key === emailKey) return;
  const write = (id: string, written: string) =>
    sql`update users set email_key = ${written} where instance_id = ${instanceId} and user_id = ${id}`;
  if (isLookalike(email ?? "")) {
    yield write(userId, unreachable(key, userId));
    return;
  }
  const holders = yield* ask<{ readonly userId: string; readonly since: number }>(sql`select user_id as "userId",
      email_proven_at as "since" from users
    where instance_id = ${instanceId} and email_key = ${key} and is_email_verified = 1 and email_proven_at is not null`);
  const isLate = provenAt !== null && holders.some((holder) => isEarlier(holder, { userId, since: provenAt }));
  if (provenAt !== null && !isLate) {
    for (const holder of holders) yield write(holder.userId, unreachable(key, holder.userId));
  }
  yield write(userId, isLate ? unreachable(key, userId) : key);
}

function* convertUsername(user: User): MigrationStep {
  const { instanceId, userId, organizationId, username, usernameKey } = user;
  const key = addressKey(username);
  if (key === usernameKey) return;
  if (isLookalike(username)) {
    yield* writeQualified(user, user, unreachable(key, userId));
    return;
  }
  const [holder] = yield* ask<Named>(sql`select user_id as "userId", username, username_set_at as "since" from users
    where instance_id = ${instanceId} and organization_id = ${organizationId} and username_key = ${key}`);
  if (holder !== undefined && isEarlier(holder, user)) {
    yield* writeQualified(user, user, unreachable(key, userId));
    return;
  }
  if (holder !== undefined) yield* writeQualified(user, holder, unreachable(key, holder.userId));
  const loginNameKey = key + user.loginNameKey.slice(usernameKey.length);
  // As when a username is set: a name that identifies users of another organization is a login name only there.
  const [elsewhere] = yield* ask(sql`select 1 as "found" from users
      where instance_id = ${instanceId} and user_id <> ${userId} and login_name_key = ${loginNameKey}
    union all select 1 from organization_domains where instance_id = ${instanceId} and is_proven = 1
      and organization_id <> ${organizationId} and domain = ${key.slice(key.lastIndexOf("@") + 1)} limit 1`);
  if (elsewhere !== undefined) {
    yield* writeQualified(user, user, key);
    return;
  }
  yield sql`update users set username_key = ${key}, login_name_key = ${loginNameKey}
    where instance_id = ${instanceId} and user_id = ${userId}`;
}

/** Gives a user a username's key, and a login name with the domain of the organization. */
function* writeQualified(
  { instanceId, organizationId }: User,
  { userId, username }: Named,
  usernameKey: string,
): MigrationStep {
  const [organization] = yield* ask<{
    readonly domain: string;
  }>(sql`select primary_domain as "domain" from organizations
    where instance_id = ${instanceId} and organization_id = ${organizationId}`);
  const suffix = `@${organization?.domain ?? ""}`;
  const key = usernameKey + suffix;
  const [other] = yield* ask(sql`select 1 as "found" from users
    where instance_id = ${instanceId} and user_id <> ${userId} and login_name_key = ${key}`);
  yield sql`update users set username_key = ${usernameKey}, preferred_login_name = ${username + suffix},
      login_name_key = ${other === undefined ? key : unreachable(key, userId)}
    where instance_id = ${instanceId} and user_id = ${userId}`;
}

const isLookalike = (name: string): boolean => {
  const [, ...domains] = name.normalize("NFC").split("@");
  return !domains.every((domain) => isMailDomain(domain.replace(/\.$/, "")));
};

const unreachable = (key: string, userId: string): string => `${key} ${userId} TAKEN`;

type Since = Pick<Named, "userId" | "since">;

const isEarlier = (a: Since, b: Since): boolean => a.since < b.since || (a.since === b.since && a.userId < b.userId);
