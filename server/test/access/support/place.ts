/** Where the object of a call is, seen from organization A. */
export const placeNames = ["own", "otherOrganization", "otherInstance", "absent"] as const;

export type PlaceName = (typeof placeNames)[number];

/** Ids of everything that calls are about, by the words that rows use: `$user`, `$project` … */
export type Objects = Readonly<Record<string, string>>;

export interface Place {
  readonly name: PlaceName;
  readonly objects: Objects;
  /** Stands in every name of the place, so that it is seen wherever something of it is shown. */
  readonly canary: string;
}

/** A place where nothing is: ids in the right form that nobody has. */
export function absentPlace(like: Objects): Place {
  let next = 399_999_999_999_990_000n;
  const absent = (name: string): string => (/^\d+$/.test(like[name] ?? "") ? `${next++}` : `absent-${name}`);
  const ids = Object.fromEntries(Object.keys(like).map((name) => [name, absent(name)]));
  // What is no id of anything stays, and what has a form keeps it.
  const { publicKey = "" } = like;
  return { name: "absent", objects: { ...ids, publicKey, userCode: "BCDF-GHJK" }, canary: "absent" };
}
