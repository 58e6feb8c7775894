import type { Where } from "./fill.ts";
import { idOf, personOf } from "./people.ts";

/** A list or search, as a call of Connect. */
export interface Case {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** It reads more the more there are: called a tenth as often. */
  readonly growsWithSize?: true;
}

/** Every list that grows with its users, with each kind of filter and order. `size` is how many users there are. */
export function casesOf(where: Where, size: number): Case[] {
  const somebody = personOf(Math.floor(size / 2));
  return [
    ...userCases(size, somebody),
    ...organizationCases(size),
    ...authorizationCases(where, size),
    ...eventCases(size),
    ...searchCases(size),
  ];
}

const methods = [
  "EQUALS",
  "EQUALS_IGNORE_CASE",
  "STARTS_WITH",
  "STARTS_WITH_IGNORE_CASE",
  "CONTAINS",
  "CONTAINS_IGNORE_CASE",
  "ENDS_WITH",
  "ENDS_WITH_IGNORE_CASE",
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
  const { userId, organization, username, email, givenName, familyName, nickname, phone } = somebody;
  const loginName = `${username}@company${organization}.example.com`;
  const texts = (title: string, query: string, field: string, value: string): Case[] =>
    methods.map((method) => users(`${title} ${method}`, [{ [query]: { [field]: value, method: textMethod(method) } }]));
  return [
    users("all", []),
    users("all, tenth page", [], { query: { limit: 100, offset: "1000" } }),
    ...sorted.map((column) => users(`by ${column}`, [], { sortingColumn: `USER_FIELD_NAME_${column}` })),
    ...texts("user name", "userNameQuery", "userName", username),
    ...texts("first name", "firstNameQuery", "firstName", givenName),
    ...texts("last name", "lastNameQuery", "lastName", familyName),
    ...texts("nickname", "nickNameQuery", "nickName", nickname),
    ...texts("display name", "displayNameQuery", "displayName", `${givenName} ${familyName}`),
    ...texts("e-mail", "emailQuery", "emailAddress", email),
    ...texts("phone", "phoneQuery", "number", phone),
    ...texts("login name", "loginNameQuery", "loginName", loginName),
    users("of an organization", [{ organizationIdQuery: { organizationId: idOf("organization", organization) } }]),
    users("inactive", [{ stateQuery: { state: "USER_STATE_INACTIVE" } }]),
    users("100 ids", [{ inUserIdsQuery: { userIds: some(size, (number) => personOf(number).userId) } }]),
    users("100 e-mails", [{ inUserEmailsQuery: { userEmails: some(size, (number) => personOf(number).email) } }]),
    users("people", [{ typeQuery: { type: "TYPE_HUMAN" } }]),
    users("with metadata of a value", [
      { metadataValueFilter: { value: `staf${10_000_000 + Math.floor(size / 20) * 10}` } },
    ]),
    users("of an organization and a name", [
      {
        andQuery: {
          queries: [
            { organizationIdQuery: { organizationId: idOf("organization", organization) } },
            { lastNameQuery: { lastName: familyName } },
          ],
        },
      },
    ]),
    users("one or other", [
      {
        orQuery: {
          queries: [{ inUserIdsQuery: { userIds: [userId] } }, { emailQuery: { emailAddress: "person1@example.com" } }],
        },
      },
    ]),
    users("not inactive", [{ notQuery: { query: { stateQuery: { state: "USER_STATE_INACTIVE" } } } }]),
    // What reads more the more there are: totals of what a search leaves over much, and pages far from the beginning.
    growing(
      users("last name STARTS_WITH A (every twelfth)", [
        { lastNameQuery: { lastName: "A", method: textMethod("STARTS_WITH") } },
      ]),
    ),
    growing(
      users("e-mail CONTAINS example (everybody)", [
        { emailQuery: { emailAddress: "example", method: textMethod("CONTAINS") } },
      ]),
    ),
    growing(users("with metadata of a key (every tenth)", [{ metadataKeyFilter: { key: "staff" } }])),
    growing(users("all, in the middle", [], { query: { limit: 100, offset: String(size / 2) } })),
    users("all, last page", [], { query: { limit: 100, offset: String(size - 100) } }),
  ];
}

const growing = (each: Case): Case => ({ ...each, growsWithSize: true });

const some = (size: number, make: (number: number) => string): string[] =>
  Array.from({ length: 100 }, (_each, index) => make(Math.floor((index * size) / 100)));

function organizationCases(size: number): Case[] {
  const organizations = (name: string, queries: object[], more: object = {}): Case => ({
    name: `organizations ${name}`,
    path: "/service.org.v2.OrganizationService/ListOrganizations",
    body: { query: { limit: 100, asc: true }, queries, ...more },
  });
  const number = Math.floor(size / 200);
  const name = `Company ${number}`;
  const domain = `company${number}.example.com`;
  return [
    organizations("all", []),
    ...["NAME", "CREATION_DATE"].map((column) =>
      organizations(`by ${column}`, [], { sortingColumn: `ORGANIZATION_FIELD_NAME_${column}` }),
    ),
    organizations("of an id", [{ idQuery: { id: idOf("organization", number) } }]),
    organizations("active", [{ stateQuery: { state: "ORGANIZATION_STATE_ACTIVE" } }]),
    organizations("the default one", [{ defaultQuery: {} }]),
    ...methods.map((method) =>
      organizations(`domain ${method}`, [{ domainQuery: { domain, method: textMethod(method) } }]),
    ),
    ...methods.map((method) => organizations(`name ${method}`, [{ nameQuery: { name, method: textMethod(method) } }])),
  ];
}

function authorizationCases({ projectId, organizationId }: Where, size: number): Case[] {
  const authorizations = (name: string, filters: object[], more: object = {}): Case => ({
    name: `authorizations ${name}`,
    path: "/service.authorization.v2.AuthorizationService/ListAuthorizations",
    body: { pagination: { limit: 100, asc: true }, filters, ...more },
  });
  const { userId, username, organization, givenName, familyName } = personOf(Math.floor(size / 20) * 10);
  const loginName = `${username}@company${organization}.example.com`;
  const displayName = `${givenName} ${familyName}`;
  const method = (name: string): string => `TEXT_FILTER_METHOD_${name}`;
  return [
    authorizations("all", []),
    authorizations("of a user", [{ inUserIds: { ids: [userId] } }]),
    authorizations("of a project", [{ projectId: { id: projectId } }]),
    authorizations("of ids", [
      { authorizationIds: { ids: some(size / 10, (number) => idOf("authorization", number * 10)) } },
    ]),
    authorizations("in an organization", [{ organizationId: { id: organizationId } }]),
    authorizations("of people of an organization", [
      { userOrganizationId: { id: idOf("organization", organization) } },
    ]),
    authorizations("active", [{ state: { state: "STATE_ACTIVE" } }]),
    authorizations("project name EQUALS", [{ projectName: { name: "Bench" } }]),
    ...methods.flatMap((name) => [
      authorizations(`login name ${name}`, [{ userPreferredLoginName: { loginName, method: method(name) } }]),
      authorizations(`display name ${name}`, [{ userDisplayName: { displayName, method: method(name) } }]),
    ]),
    authorizations("of a role", [{ roleKey: { key: "admin" } }]),
    ...["CREATED_DATE", "CHANGED_DATE", "ID", "USER_ID", "PROJECT_ID", "ORGANIZATION_ID", "USER_ORGANIZATION_ID"].map(
      (column) => authorizations(`by ${column}`, [], { sortingColumn: `AUTHORIZATION_FIELD_NAME_${column}` }),
    ),
    authorizations("all, last page", [], { pagination: { limit: 100, offset: String(size / 10 - 100), asc: true } }),
  ];
}

const instant = (milliseconds: number): string => new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString();

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
    events("of a kind of aggregate", { aggregateTypes: ["session"] }),
    events("from an instant", { asc: true, from: instant(size * 2) }),
    events("from an instant back", { from: instant(size * 2) }),
    events("between instants", { range: { since: instant(size * 2), until: instant(size * 2 + 500) } }),
    events("after a sequence", { asc: true, sequence: "3" }),
  ];
}

/** The search over everything: what is found by each kind of text, and what finds nothing. */
function searchCases(size: number): Case[] {
  const { userId, organization, email, familyName, username } = personOf(Math.floor(size / 2));
  const organizationId = idOf("organization", organization);
  const search = (name: string, body: object): Case => ({ name: `search ${name}`, path: "/v2/search", body });
  return [
    search("a letter", { text: "a" }),
    search("a name that many have", { text: familyName }),
    search("the beginning of all user names", { text: "person" }),
    search("an address", { text: email }),
    search("a user name", { text: username }),
    search("an id", { text: userId }),
    search("the beginning of all names of organizations", { text: "Company" }),
    search("a name in an organization", { text: familyName.slice(0, 1), organizationId }),
  ];
}
