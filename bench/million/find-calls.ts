import { personOf } from "../scale/people.ts";
import { type ConsoleCall, contains, service, textMethods } from "./console-call.ts";
import { type Amounts, idAt, organizationOf } from "./instance.ts";

/** The search over everything. */
export function searchCalls(amounts: Amounts): ConsoleCall[] {
  const { users } = amounts;
  const middle = Math.floor(users / 2) + 1;
  const { userId, email, familyName, username } = personOf(middle);
  const organizationId = idAt("organization", organizationOf(middle, amounts));
  const search = (name: string, body: object): ConsoleCall => ({
    name: `palette: ${name}`,
    method: "service.search.v2.SearchService/Search",
    body,
    isSearch: true,
    isOfOwners: true,
  });
  return [
    search("one letter", { text: "a" }),
    search("two letters", { text: "be" }),
    search("a name of a twelfth", { text: "berg" }),
    search("a name of few", { text: familyName }),
    search("the beginning of all usernames", { text: "person" }),
    search("an address", { text: email }),
    search("a username", { text: username }),
    search("an id", { text: userId }),
    search("names of organizations", { text: "Company" }),
    search("names of applications", { text: "Application 1" }),
    search("nothing", { text: "zzxxqq" }),
    search("one letter in a small organization", { text: "a", organizationId }),
    search("one letter in a large organization", { text: "a", organizationId: idAt("organization", 0) }),
    search("nothing in a large organization", { text: "zzxxqq", organizationId: idAt("organization", 0) }),
  ];
}

/** What is offered while the user types. */
export function pickerCalls(amounts: Amounts): ConsoleCall[] {
  const method = textMethods.startsWith;
  const middle = Math.floor(amounts.users / 2) + 1;
  const { familyName, username } = personOf(middle);
  const userQuery = (text: string): object => ({
    orQuery: {
      queries: [
        { displayNameQuery: { displayName: text, method } },
        { lastNameQuery: { lastName: text, method } },
        { loginNameQuery: { loginName: text, method } },
        { emailQuery: { emailAddress: text, method } },
      ],
    },
  });
  const find = (name: string, queries: object[]): ConsoleCall => ({
    name: `picker of users: ${name}`,
    method: `${service.users}/ListUsers`,
    body: { query: { limit: 10, asc: true, countUpTo: 1 }, sortingColumn: "USER_FIELD_NAME_DISPLAY_NAME", queries },
    isSearch: true,
    isOfOwners: true,
  });
  const large = { organizationIdQuery: { organizationId: idAt("organization", 0) } };
  const texts = [
    ["one letter", "a"],
    ["two letters", "be"],
    ["two letters of none", "zq"],
    ["a name of a twelfth", "berg"],
    ["a name at the end of the order", "łu"],
    ["a name of few", familyName],
    ["the beginning of all usernames", "person"],
    ["nothing", "zzxxqq"],
  ] as const;
  return [
    find("no text", []),
    ...texts.map(([name, text]) => find(name, [userQuery(text)])),
    ...texts.map(([name, text]) => find(`of a large organization, ${name}`, [large, userQuery(text)])),
    {
      name: "picker of users: the login name of a user elsewhere",
      method: `${service.management}/GetUserByLoginNameGlobal`,
      body: { loginName: `${username}@company${organizationOf(middle, amounts)}.example.com` },
      organizationId: idAt("organization", 0),
      isSearch: true,
    },
    {
      name: "picker of organizations",
      method: `${service.organizations}/ListOrganizations`,
      body: {
        query: { limit: 10, asc: true, countUpTo: 1 },
        queries: [{ nameQuery: { name: "42", method: textMethods.contains } }],
      },
      isSearch: true,
    },
    {
      name: "picker of projects",
      method: `${service.projects}/ListProjects`,
      body: {
        pagination: { limit: 10, asc: true, countUpTo: 1 },
        sortingColumn: "PROJECT_FIELD_NAME_NAME",
        filters: [{ projectNameFilter: { projectName: "42", method: contains } }],
      },
      isSearch: true,
    },
    {
      name: "picker of grants",
      method: `${service.projects}/ListProjectGrants`,
      body: {
        pagination: { limit: 10, countUpTo: 1 },
        filters: [{ projectNameFilter: { projectName: "42", method: contains } }],
      },
      isSearch: true,
    },
  ];
}
