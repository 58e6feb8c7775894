import { foldCase } from "../../server/src/base/names/fold-case.ts";
import { writePageToken } from "../../server/src/domain/user-search/page-token.ts";
import { personOf } from "../scale/people.ts";
import { type ConsoleCall, contains, lastOf, most, page, service, textMethods } from "./console-call.ts";
import { type Amounts, idAt, type Made, organizationOf } from "./instance.ts";

/** What the search of the list of users asks for. */
function textQuery(text: string): object {
  // A text of fewer than three letters is compared with beginnings.
  const isShort = [...text].length < 3;
  const method = isShort ? textMethods.startsWith : textMethods.contains;
  return {
    orQuery: {
      queries: [
        { displayNameQuery: { displayName: text, method } },
        ...(isShort ? [{ lastNameQuery: { lastName: text, method } }] : []),
        { loginNameQuery: { loginName: text, method } },
        { emailQuery: { emailAddress: text, method } },
        { inUserIdsQuery: { userIds: [text] } },
      ],
    },
  };
}

/** The page of a list by name that follows a user, as the console turns to it. */
function beside(call: ConsoleCall, number: number): ConsoleCall {
  const { userId: id, givenName, familyName } = personOf(number);
  const edge = { key: foldCase(`${givenName} ${familyName}`), id };
  const pageToken = writePageToken({ sortBy: "displayName", isDescending: false }, { edge, isBefore: false });
  return { ...call, body: { ...call.body, pageToken } };
}

/** Lists of users. */
export function userCalls({ identityProviderId }: Made, amounts: Amounts): ConsoleCall[] {
  const { users } = amounts;
  const { email, familyName, username } = personOf(Math.floor(users / 2) + 1);
  const large = { organizationIdQuery: { organizationId: idAt("organization", 0) } };
  const small = { organizationIdQuery: { organizationId: idAt("organization", 7) } };
  const list = (
    name: string,
    queries: object[],
    { at = 0, by = "DISPLAY_NAME", asc = true }: { at?: number; by?: string; asc?: boolean } = {},
  ): ConsoleCall => ({
    name: `users: ${name}`,
    method: `${service.users}/ListUsers`,
    body: { query: page(at, { asc }), sortingColumn: `USER_FIELD_NAME_${by}`, queries },
    isOfOwners: true,
  });
  const inactive = { stateQuery: { state: "USER_STATE_INACTIVE" } };
  return [
    list("first page", []),
    list("last page", [], { at: lastOf(users) }),
    list("page in the middle", [], { at: lastOf(users / 2) }),
    beside(list("page in the middle, beside another", []), Math.floor(users / 2)),
    beside(list("page in the middle of a name of a twelfth", [textQuery("berg")]), Math.floor(users / 2)),
    ...["EMAIL", "STATE", "CREATION_DATE"].flatMap((by) => [
      list(`by ${by}`, [], { by }),
      list(`by ${by}, descending`, [], { by, asc: false }),
    ]),
    list("people", [{ typeQuery: { type: "TYPE_HUMAN" } }]),
    list("service accounts", [{ typeQuery: { type: "TYPE_MACHINE" } }]),
    list("inactive", [inactive]),
    list("inactive, last page", [inactive], { at: lastOf(users / 50) }),
    list("blocked", [{ blockedQuery: {} }]),
    list("of a large organization", [large]),
    list("of a large organization, last page", [large], { at: lastOf((users * 4) / 7) }),
    list("of a large organization, by EMAIL", [large], { by: "EMAIL" }),
    list("of a large organization, inactive", [large, inactive]),
    list("of a small organization", [small]),
    list("of a small organization, inactive", [small, inactive]),
    ...[
      ["a name of few", familyName],
      ["a whole address", email],
      ["the beginning of an address", username],
      ["a name of a twelfth", "berg"],
      ["a name of a twelfth and a number", "berg1"],
      ["a name at the end of the order", "łucja"],
      ["a text of all", "example"],
      ["a text of none", "zzxxqq"],
      ["two letters of many", "ad"],
      ["two letters of none", "zq"],
      ["one letter", "b"],
    ].flatMap(([name = "", text = ""]) => [
      list(`with ${name}`, [textQuery(text)]),
      list(`with ${name}, by CREATION_DATE`, [textQuery(text)], { by: "CREATION_DATE", asc: false }),
      list(`inactive with ${name}`, [textQuery(text), inactive]),
      list(`of a large organization with ${name}`, [textQuery(text), large]),
      list(`of a small organization with ${name}`, [textQuery(text), small]),
    ]),
    {
      name: "provider: how many are linked",
      method: `${service.users}/ListUsers`,
      body: { query: { limit: 1, countUpTo: most }, queries: [{ identityProviderIdQuery: { identityProviderId } }] },
    },
    {
      name: "provider: linked users",
      method: `${service.users}/ListUsers`,
      body: {
        query: { limit: 10, asc: true, countUpTo: most },
        sortingColumn: "USER_FIELD_NAME_DISPLAY_NAME",
        queries: [{ identityProviderIdQuery: { identityProviderId } }],
      },
    },
    {
      name: "users: download, first part",
      method: "service.export.v2.ExportService/ExportUsers",
      body: { queries: [], format: "EXPORT_FORMAT_CSV" },
    },
  ];
}

/** Pages of a user. */
export function userPageCalls(amounts: Amounts): ConsoleCall[] {
  const userId = idAt("user", Math.floor(amounts.users / 8));
  const ofUser = (name: string, method: string, body: object): ConsoleCall => ({ name: `user: ${name}`, method, body });
  return [
    ofUser("overview", `${service.users}/GetUserByID`, { userId }),
    ofUser("sessions", `${service.sessions}/ListSessions`, {
      query: page(0),
      queries: [{ userIdQuery: { id: userId } }],
      sortingColumn: "SESSION_FIELD_NAME_CREATION_DATE",
    }),
    ofUser("roles", `${service.authorizations}/ListAuthorizations`, {
      pagination: page(0),
      filters: [{ inUserIds: { ids: [userId] } }],
    }),
    ofUser("administration", `${service.administrators}/ListAdministrators`, {
      pagination: page(0),
      filters: [{ inUserIdsFilter: { ids: [userId] } }],
    }),
    ofUser("groups", `${service.groups}/ListGroupUsers`, {
      pagination: page(0),
      filters: [{ userIds: { ids: [userId] } }],
    }),
    ofUser("metadata", `${service.users}/ListUserMetadata`, { userId, pagination: page(0) }),
    {
      ...ofUser("activity", `${service.management}/ListUserChanges`, { userId, query: { limit: 50 } }),
      organizationId: idAt("organization", organizationOf(Math.floor(amounts.users / 8), amounts)),
    },
    ofUser("attempts", `${service.attempts}/ListSignInAttempts`, {
      pagination: { limit: 5, countUpTo: most },
      filters: [{ userIdFilter: { id: userId } }],
    }),
  ];
}

/** Groups and their members. */
export function groupCalls({ groups, users }: Amounts): ConsoleCall[] {
  const list = (name: string, filters: object[], at = 0, sortingColumn = "FIELD_NAME_NAME"): ConsoleCall => ({
    name: `groups: ${name}`,
    method: `${service.groups}/ListGroups`,
    body: { pagination: page(at, { asc: true }), sortingColumn, filters },
    isOfOwners: true,
  });
  const members = (name: string, number: number, at = 0): ConsoleCall => ({
    name: `group: ${name}`,
    method: `${service.groups}/ListGroupUsers`,
    body: { pagination: page(at), filters: [{ groupIds: { ids: [idAt("other", number)] } }] },
  });
  const named = (name: string): object => ({
    nameFilter: { name, method: contains },
  });
  return [
    list("first page", []),
    list("last page", [], lastOf(groups)),
    list("by creation", [], 0, "FIELD_NAME_CREATION_DATE"),
    list("with a name", [named("42")]),
    list("with a name of none", [named("zzxxqq")]),
    list("of an organization", [{ organizationId: { id: idAt("organization", 7) } }]),
    { name: "group", method: `${service.groups}/GetGroup`, body: { id: idAt("other", 1) } },
    members("members of a large one", 0),
    members("members of a large one, last page", 0, lastOf(users / 20)),
    members("members of a small one", 3),
  ];
}
