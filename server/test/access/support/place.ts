/** Where the object of a call is, as seen from organization A. */
const placeNames = ["own", "otherOrganization", "otherInstance", "absent"] as const;

export type PlaceName = (typeof placeNames)[number];

/** Ids of everything that calls are about, by the words that rows use: `$user`, `$project` … */
export type Objects = Readonly<Record<string, string>>;

export interface Place {
  readonly name: PlaceName;
  readonly objects: Objects;
  /** Part of every name in the place, so that it is found wherever an answer shows the place. */
  readonly canary: string;
}

/** Returns a place where nothing exists: ids in the right form that are not in use. */
export function absentPlace(like: Objects): Place {
  let next = 399_999_999_999_990_000n;
  const absent = (name: string): string => (/^\d+$/.test(like[name] ?? "") ? `${next++}` : `absent-${name}`);
  const ids = Object.fromEntries(Object.keys(like).map((name) => [name, absent(name)]));
  // A value that is not an id stays; other values keep their form.
  const { publicKey = "" } = like;
  return { name: "absent", objects: { ...ids, publicKey, userCode: "BCDF-GHJK" }, canary: "absent" };
}
