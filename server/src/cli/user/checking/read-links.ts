import type { Loss, SourceUser } from "../sources/source.ts";

const longestId = 200;

/** Returns links to identity providers in the form of the API; those of providers without counterpart are losses. */
export function readLinks(user: SourceUser, providers: ReadonlyMap<string, string>, losses: Loss[]) {
  return user.links.flatMap(({ provider, userId, username }) => {
    const idpId = providers.get(provider);
    if (idpId === undefined) {
      losses.push({ field: "links", what: "lost", why: `no provider is given for ${provider} (--provider)` });
      return [];
    }
    if (userId === "" || userId.length > longestId) {
      losses.push({ field: "links", what: "lost", why: `the account at ${provider} has no usable id` });
      return [];
    }
    return [{ idpId, userId, userName: (username || userId).slice(0, longestId) }];
  });
}
