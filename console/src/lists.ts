import type { TextKey } from "./text/catalogue.ts";

/** What an address can hold besides its path: filters, sorting, the page of a list, and the organization (`org`). */
export type Search = Readonly<Record<string, string | undefined>>;

/** Whether a text can be the value of a parameter. */
type Takes = (text: string) => boolean;

interface List {
  readonly path: string;
  readonly title: TextKey;
  /** The parameters of the address that filter and sort the list, and what each can be. */
  readonly parameters: Readonly<Record<string, Takes>>;
}

/** Anyone can write an address: only texts of a sensible length count. */
export const isSensible: Takes = (text) => text.length <= 500;

const oneOf =
  (...values: readonly string[]): Takes =>
  (text) =>
    values.includes(text);

/** The key of a column, after `-` when it is descending. */
const sortOf =
  (...columns: readonly string[]): Takes =>
  (text) =>
    columns.includes(text.replace(/^-/, ""));

const periods = ["1h", "today", "24h", "7d", "30d"] as const;
const anything = isSensible;

/** The lists of the console that a user may save views of. */
export const lists = {
  users: {
    path: "/users",
    title: "nav.users",
    parameters: {
      text: anything,
      kind: oneOf("human", "service"),
      // Numbers are those of the contract.
      state: oneOf("1", "2", "3", "4", "5", "blocked"),
      sort: sortOf("name", "email", "state", "created"),
    },
  },
  groups: {
    path: "/users/groups",
    title: "user.groups",
    parameters: { text: anything, sort: sortOf("name", "created") },
  },
  organizations: {
    path: "/organizations",
    title: "nav.organizations",
    parameters: { q: anything, state: oneOf("active", "inactive"), sort: sortOf("name", "created") },
  },
  projects: { path: "/projects", title: "nav.projects", parameters: { q: anything } },
  applications: {
    path: "/applications",
    title: "nav.applications",
    parameters: { q: anything, kind: oneOf("1", "2", "3"), state: oneOf("1", "2") },
  },
  administrators: {
    path: "/administrators",
    title: "nav.administrators",
    parameters: {
      q: anything,
      level: oneOf("instance", "organization", "project", "projectGrant"),
      role: anything,
      user: anything,
      project: anything,
      grantedTo: anything,
    },
  },
  events: {
    path: "/activity",
    title: "nav.activity",
    parameters: {
      id: anything,
      kind: anything,
      type: anything,
      who: anything,
      period: oneOf(...periods, "custom"),
      since: anything,
      until: anything,
      live: oneOf("on"),
    },
  },
  attempts: {
    path: "/activity/sign-ins",
    title: "attempt.title",
    parameters: {
      reference: anything,
      result: oneOf("withFailures", "failed", "unfinished", "signedIn"),
      user: anything,
      client: anything,
      period: oneOf(...periods),
    },
  },
  jobs: {
    path: "/tools/jobs",
    title: "job.title",
    parameters: { state: oneOf("queued", "running", "completed", "canceled", "stopped") },
  },
} as const satisfies Readonly<Record<string, List>>;

export type ListName = keyof typeof lists;

/**
 * Returns what a search says to filter and sort a list, in the order of the list's parameters. Whatever else is in it,
 * and values that the list does not take, are left out.
 */
export function readFilters(list: ListName, search: Search): Readonly<Record<string, string>> {
  const { parameters }: List = lists[list];
  const given = Object.entries(parameters).flatMap(([name, takes]): (readonly [string, string])[] => {
    const value = search[name];
    return value !== undefined && value !== "" && takes(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(given);
}

/**
 * Returns what the router leaves out of the search of the page at a path: values that the list there does not take,
 * each as undefined. The router keeps a parameter that is not named here.
 */
export function searchAt(path: string): (search: Search) => Search {
  const [found] = (Object.keys(lists) as ListName[]).filter((name) => lists[name].path === path);
  const parameters = found === undefined ? [] : Object.entries((lists[found] as List).parameters);
  const isRefused = (value: string | undefined, takes: Takes): boolean => value !== undefined && !takes(value);
  return (search) =>
    Object.fromEntries(
      parameters.filter(([name, takes]) => isRefused(search[name], takes)).map(([name]) => [name, undefined]),
    );
}
