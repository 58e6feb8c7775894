import { type SearchResult, SearchResultKind } from "@doorward/api/service/search/v2/search_pb";
import type { TextKey } from "../text/catalogue.ts";

/** What each kind of result is called. */
export const kindTexts: Readonly<Partial<Record<SearchResultKind, TextKey>>> = {
  [SearchResultKind.USER]: "search.user",
  [SearchResultKind.SERVICE_ACCOUNT]: "search.serviceAccount",
  [SearchResultKind.ORGANIZATION]: "search.organization",
  [SearchResultKind.PROJECT]: "search.project",
  [SearchResultKind.APPLICATION]: "search.application",
  [SearchResultKind.PROJECT_GRANT]: "search.projectGrant",
  [SearchResultKind.GROUP]: "search.group",
  [SearchResultKind.SESSION]: "search.session",
  [SearchResultKind.AUTHORIZATION]: "search.authorization",
  [SearchResultKind.EVENTS]: "search.events",
  [SearchResultKind.SIGN_IN_ATTEMPT]: "search.signInAttempt",
  [SearchResultKind.IDENTITY_PROVIDER]: "provider.one",
};

/** Returns the page about a result, or undefined where the console has none yet. */
export function addressOf({ kind, id, projectId, userId, organizationId }: SearchResult): string | undefined {
  switch (kind) {
    case SearchResultKind.USER:
    case SearchResultKind.SERVICE_ACCOUNT:
      return `/users/${id}`;
    case SearchResultKind.ORGANIZATION:
      return `/organizations/${id}`;
    case SearchResultKind.PROJECT:
      return `/projects/${id}`;
    case SearchResultKind.APPLICATION:
      return `/applications/${id}`;
    case SearchResultKind.PROJECT_GRANT:
      return `/projects/${projectId}/grants`;
    case SearchResultKind.GROUP:
      return `/users/groups/${id}`;
    case SearchResultKind.SESSION:
      return `/users/${userId}/sessions`;
    case SearchResultKind.AUTHORIZATION:
      return `/users/${userId}/roles`;
    case SearchResultKind.EVENTS:
      return `/activity?id=${id}`;
    case SearchResultKind.SIGN_IN_ATTEMPT:
      return `/activity/sign-ins/${id}`;
    case SearchResultKind.IDENTITY_PROVIDER:
      return `/settings/providers/${id}${organizationId === "" ? "" : `?org=${organizationId}`}`;
    default:
      return undefined;
  }
}
