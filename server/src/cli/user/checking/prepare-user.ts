import { isChosenId } from "../../../base/id.ts";
import { encodeTextBase64 } from "../sources/base64.ts";
import { type Loss, type SourceUser, UserRefused } from "../sources/source.ts";
import { readLinks } from "./read-links.ts";
import { readMetadata, unfinishedKey } from "./read-metadata.ts";
import { readName } from "./read-name.ts";
import { readPassword, readPhone, readTotp } from "./read-sign-in.ts";
import type { Rules } from "./rules.ts";

/** Where users go, and what the options say about them. */
export interface Target {
  readonly organizationId: string;
  /** Whether users get ids of the server. */
  readonly hasNewIds: boolean;
  readonly projectId: string | undefined;
  /** Keys of the roles of the project. */
  readonly roleKeys: ReadonlySet<string>;
  /** Identity providers here, by what the source calls them. */
  readonly providers: ReadonlyMap<string, string>;
  /** Domain of addresses for users without one. */
  readonly emailDomain: string | undefined;
}

/** A user that can be created. */
export interface PreparedUser {
  /** Absent when the server chooses it. */
  readonly id: string | undefined;
  readonly username: string;
  readonly usernameKey: string;
  readonly emailKey: string;
  /** Request of CreateUser. */
  readonly request: object;
  readonly roles: readonly string[];
  readonly isDisabled: boolean;
  readonly losses: readonly Loss[];
}

/** Translates a user, by the rules that the server has. Throws `UserRefused`. */
export function prepareUser(user: SourceUser, target: Target, rules: Rules): PreparedUser {
  const losses: Loss[] = [...user.losses];
  const id = target.hasNewIds ? undefined : readId(user, losses);
  const email = readEmail(user, target, { rules, losses });
  const username = rules.parseUsername(user.username || email.shown);
  const roles = readRoles(user, target, losses);
  const isUnfinished = roles.length > 0 || user.isDisabled;
  const hash = readPassword(user, rules, losses);
  const totpSecret = readTotp(user, losses);
  const phone = readPhone(user, rules, losses);
  const links = readLinks(user, target.providers, losses);
  const metadata = readMetadata(id === undefined ? user : { ...user, id: "" }, losses);
  const request = {
    organizationId: target.organizationId,
    ...(id !== undefined && { userId: id }),
    username: username.shown,
    human: {
      profile: readName(user, email.shown, losses),
      // `false` leaves the address unverified without a code: nothing is mailed by an import.
      email: { email: email.shown, isVerified: user.isEmailVerified && email.isOwn },
      ...(phone !== undefined && {
        phone: { phone, ...(user.isPhoneVerified ? { isVerified: true } : { returnCode: {} }) },
      }),
      ...(hash !== undefined && { hashedPassword: { hash, changeRequired: user.isPasswordChangeRequired } }),
      ...(links.length > 0 && { idpLinks: links }),
      ...(totpSecret !== undefined && { totpSecret }),
    },
    metadata: [...metadata, ...(isUnfinished ? [{ key: unfinishedKey, value: encodeTextBase64("1") }] : [])],
  };
  return {
    id,
    username: username.shown,
    usernameKey: username.key,
    emailKey: email.key,
    request,
    roles,
    isDisabled: user.isDisabled,
    losses,
  };
}

function readId({ id }: SourceUser, losses: Loss[]): string | undefined {
  if (id === "") return undefined;
  if (isChosenId(id)) return id;
  losses.push({ field: "id", what: "changed", why: "it cannot be an id here; the user gets another one" });
  return undefined;
}

function readEmail(
  user: SourceUser,
  { emailDomain }: Target,
  { rules, losses }: { readonly rules: Rules; readonly losses: Loss[] },
) {
  if (user.email !== "") return { ...rules.parseEmail(user.email), isOwn: true };
  if (emailDomain === undefined) {
    throw new UserRefused("email", "the user has no email address (--missing-email-domain)");
  }
  const local = toLocal(user.username) || toLocal(user.id);
  const made = `${local}@${emailDomain}`;
  losses.push({ field: "email", what: "changed", why: `the user has no email address, and gets ${made}` });
  return { ...rules.parseEmail(made), isOwn: false };
}

const toLocal = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, 64)
    .replace(/^-+|-+$/g, "");

function readRoles(user: SourceUser, { projectId, roleKeys }: Target, losses: Loss[]): readonly string[] {
  if (projectId === undefined) {
    if (user.roles.length > 0) losses.push({ field: "roles", what: "lost", why: "no project was given (--project)" });
    return [];
  }
  const wanted = [...new Set(user.roles)];
  for (const role of wanted) {
    if (!roleKeys.has(role)) losses.push({ field: "roles", what: "lost", why: `the project has no role ${role}` });
  }
  return wanted.filter((role) => roleKeys.has(role));
}
