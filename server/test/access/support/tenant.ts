/** The tenant that the object of a call belongs to, as seen from organization A. */
const tenantNames = ["own", "otherOrganization", "otherInstance", "absent"] as const;

export type TenantName = (typeof tenantNames)[number];

/** Ids of everything that calls are about, by the words that rows use: `$user`, `$project` … */
export type Objects = Readonly<Record<string, string>>;

export interface Tenant {
  readonly name: TenantName;
  readonly objects: Objects;
  /** Part of every name in the tenant, so that it is found wherever an answer shows the tenant. */
  readonly canary: string;
}

/** Returns a tenant in which nothing exists: ids in the right form that are not in use. */
export function absentTenant(like: Objects): Tenant {
  let next = 399_999_999_999_990_000n;
  const absent = (name: string): string => (/^\d+$/.test(like[name] ?? "") ? `${next++}` : `absent-${name}`);
  const ids = Object.fromEntries(Object.keys(like).map((name) => [name, absent(name)]));
  // A value that is not an id stays; other values keep their form.
  const { publicKey = "" } = like;
  return { name: "absent", objects: { ...ids, publicKey, userCode: "BCDF-GHJK" }, canary: "absent" };
}
