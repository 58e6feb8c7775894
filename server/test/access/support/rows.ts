import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a call is about, which decides the roles that count; `anywhere`: the permission counts wherever it is held. */
export type About =
  | "nothing"
  | "self"
  | "anywhere"
  | "system"
  | "instance"
  | "organization"
  | "user"
  | "machine"
  | "session"
  | "signInAttempt"
  | "job"
  | "setupLink"
  | "group"
  | "authorization"
  | "project"
  | "application"
  | "resource"
  | "grant"
  | "granted"
  | "list";

/** The declared row of a method. */
export interface Row {
  /** `service.user.v2.UserService/GetUserByID` */
  readonly method: string;
  readonly about: About;
  /** Permissions of which one is enough; empty when every signed-in user may call. */
  readonly permissions: readonly string[];
  readonly isForEverybody: boolean;
  /** Whether users may do it to themselves. */
  readonly isForSelf: boolean;
  /** Request fields besides those that are filled by their names; `$user` is an object of the tenant. */
  readonly request: object;
  /** Refusals that count as success, because they come after the permission was checked. */
  readonly afterwards: readonly string[];
}

const folder = join(import.meta.dirname, "../rows");

/**
 * Returns the declared rows. A line is `Method | what it is about | who may | request | later refusals`; the last two
 * may be missing. Who may: permissions separated by commas, `signed in`, or `everybody`; `or self` after a permission.
 * Later refusals are those that come after the permission was checked.
 */
export function readRows(): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const file of globSync("*.txt", { cwd: folder })) {
    const service = `service.${file.replace(/\.txt$/, "")}`;
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const [name = "", about = "", who = "", request = "", afterwards = ""] = line
        .split(" | ")
        .map((part) => part.trim());
      const method = `${service}/${name}`;
      if (rows.has(method)) throw new Error(`${method} has two rows`);
      const permissions = who.replace(/ or self$/, "");
      rows.set(method, {
        method,
        about: about as About,
        permissions: ["signed in", "everybody"].includes(permissions) ? [] : permissions.split(","),
        isForEverybody: who === "everybody",
        isForSelf: who.endsWith(" or self"),
        request: request === "" ? {} : (JSON.parse(request) as object),
        afterwards: afterwards === "" ? [] : afterwards.split(" "),
      });
    }
  }
  return rows;
}
