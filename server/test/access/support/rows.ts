import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a call is about, and so whose roles reach it: `anywhere` those who hold the permission, wherever that is. */
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
  | "group"
  | "authorization"
  | "project"
  | "application"
  | "grant"
  | "granted"
  | "list";

/** The declared row of a method. */
export interface Row {
  /** `service.user.v2.UserService/GetUserByID` */
  readonly method: string;
  readonly about: About;
  /** Permissions of which one is enough; empty when it is enough to be signed in. */
  readonly permissions: readonly string[];
  readonly isForEverybody: boolean;
  /** Whether users may do it to themselves. */
  readonly isForSelf: boolean;
  /** What the request says besides the fields that are filled by their names; `$user` is an object of the place. */
  readonly request: object;
  /** Refusals that are as good as success: they come after the permission was checked. */
  readonly afterwards: readonly string[];
}

const folder = join(import.meta.dirname, "../rows");

/**
 * The declared rows. A line is `Method | what it is about | who may | request | refusals that come after the permission`; the last two may be
 * missing. Who may: permissions divided by commas, `signed in`, or `everybody`; `or self` behind a permission.
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
