import type { Where } from "./fill.ts";
import { idOf, personOf } from "./people.ts";

/** A list or search, as a call of Connect. */
export interface Case {
  readonly name: string;
  readonly path: string;
  readonly body: object;
}

/** Every list that grows with its people, with each kind of filter and order. `size` is how many people there are. */
export function casesOf(where: Where, size: number): Case[] {
  const somebody = personOf(Math.floor(size / 2));
  return [
    ...userCases(size, somebody),
    ...organizationCases(size),
    ...authorizationCases(where, size),
    ...eventCases(size),
  ];
}

const methods = [
  "EQUALS",
  "EQUALS_IGNORE_CASE",
  "STARTS_WITH",
  "STARTS_WITH_IGNORE_CASE",
  "CONTAINS",
  "CONTAINS_IGNORE_CASE",
];
const textMethod = (method: string): string => `TEXT_QUERY_METHOD_${method}`;

function userCases(size: number, somebody: ReturnType<typeof personOf>): Case[] {
  const users = (name: string, queries: object[], more: object = {}): Case => ({
    name: `users ${name}`,
    path: "/service.user.v2.UserService/ListUsers",
    body: { query: { limit: 100, asc: true }, queries, ...more },
  });
  const sorted = [
    "USER_NAME",
    "FIRST_NAME",
    "LAST_NAME",
    "NICK_NAME",
    "DISPLAY_NAME",
    "EMAIL",
    "STATE",
    "TYPE",
    "CREATION_DATE",
  ];
  const { userId, organization, username, email, familyName } = somebody;
  return [
    users("all", []),
    users("all, tenth page", [], { query: { limit: 100, offset: "1000" } }),
    ...sorted.map((column) => users(`by ${column}`, [], { sortingColumn: `USER_FIELD_NAME_${column}` })),
    ...methods.map((method) =>
      users(`user name ${method}`, [{ userNameQuery: { userName: username, method: textMethod(method) } }]),
    ),
    ...methods.map((method) =>
      users(`e-mail ${method}`, [{ emailQuery: { emailAddress: email, method: textMethod(method) } }]),
    ),
    ...methods.map((method) =>
      users(`last name ${method}`, [{ lastNameQuery: { lastName: familyName, method: textMethod(method) } }]),
    ),
    users("login name EQUALS", [
      { loginNameQuery: { loginName: `${username}@${"company"}${organization}.example.com` } },
    ]),
    users("of an organization", [{ organizationIdQuery: { organizationId: idOf("organization", organization) } }]),
    users("inactive", [{ stateQuery: { state: "USER_STATE_INACTIVE" } }]),
    users("100 ids", [{ inUserIdsQuery: { userIds: some(size, (number) => personOf(number).userId) } }]),
    users("100 e-mails", [{ inUserEmailsQuery: { userEmails: some(size, (number) => personOf(number).email) } }]),
    users("one or other", [
      {
        orQuery: {
          queries: [{ inUserIdsQuery: { userIds: [userId] } }, { emailQuery: { emailAddress: "person1@example.com" } }],
        },
      },
    ]),
    users("not inactive", [{ notQuery: { query: { stateQuery: { state: "USER_STATE_INACTIVE" } } } }]),
  ];
}

const some = (size: number, make: (number: number) => string): string[] =>
  Array.from({ length: 100 }, (_each, index) => make(Math.floor((index * size) / 100)));

function organizationCases(size: number): Case[] {
  const organizations = (name: string, queries: object[], more: object = {}): Case => ({
    name: `organizations ${name}`,
    path: "/service.org.v2.OrganizationService/ListOrganizations",
    body: { query: { limit: 100, asc: true }, queries, ...more },
  });
  const name = `Company ${Math.floor(size / 200)}`;
  return [
    organizations("all", []),
    organizations("by NAME", [], { sortingColumn: "ORGANIZATION_FIELD_NAME_NAME" }),
    ...methods.map((method) => organizations(`name ${method}`, [{ nameQuery: { name, method: textMethod(method) } }])),
  ];
}

function authorizationCases({ projectId }: Where, size: number): Case[] {
  const authorizations = (name: string, filters: object[], more: object = {}): Case => ({
    name: `authorizations ${name}`,
    path: "/service.authorization.v2.AuthorizationService/ListAuthorizations",
    body: { pagination: { limit: 100, asc: true }, filters, ...more },
  });
  const userId = idOf("user", Math.floor(size / 20) * 10);
  return [
    authorizations("all", []),
    authorizations("of a user", [{ inUserIds: { ids: [userId] } }]),
    authorizations("of a project", [{ projectId: { id: projectId } }]),
    authorizations("of a role", [{ roleKey: { key: "admin" } }]),
    ...["CREATED_DATE", "CHANGED_DATE", "ID", "USER_ID"].map((column) =>
      authorizations(`by ${column}`, [], { sortingColumn: `AUTHORIZATION_FIELD_NAME_${column}` }),
    ),
  ];
}

function eventCases(size: number): Case[] {
  const events = (name: string, filter: object): Case => ({
    name: `events ${name}`,
    path: "/service.admin.v1.AdminService/ListEvents",
    body: { limit: 100, ...filter },
  });
  const { userId, organization } = personOf(Math.floor(size / 2));
  return [
    events("newest", {}),
    events("oldest", { asc: true }),
    events("of a type", { eventTypes: ["user.password.changed"] }),
    events("of an aggregate", { aggregateTypes: ["user"], aggregateId: userId }),
    events("of an editor", { editorUserId: idOf("user", 7) }),
    events("of an organization", { resourceOwner: idOf("organization", organization) }),
    events("from an instant", { asc: true, from: new Date(Date.UTC(2026, 0, 1) + size * 2).toISOString() }),
  ];
}
