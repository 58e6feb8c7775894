import { canonicalName } from "../../base/names/canonical.ts";
import type { Identifier } from "./identifier.ts";

/** Returns `username@domain`, or the username if it ends with the domain already. */
export function toLoginName(username: Identifier, domain: string): Identifier {
  const suffix = `@${canonicalName(domain)}`;
  if (username.key.endsWith(suffix)) return username;
  return { shown: `${username.shown}@${domain}`, key: username.key + suffix };
}

/** Returns the four columns with a username and its login name: with the domain, or the username alone. */
export function toNames(username: Identifier, primaryDomain: string, isBare: boolean) {
  const loginName = isBare ? username : toLoginName(username, primaryDomain);
  return {
    username: username.shown,
    usernameKey: username.key,
    preferredLoginName: loginName.shown,
    loginNameKey: loginName.key,
  };
}
