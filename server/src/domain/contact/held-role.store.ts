import { authorWith, type Positions } from "../../call/index.ts";
import { type Reader, sql } from "../../database/index.ts";

/** Returns the author that a user is by the roles that they hold now. */
export async function findUserAsAuthor(reader: Reader, instanceId: string, userId: string): Promise<Positions> {
  const held = await reader.all<{
    level: "instance" | "organization" | "project" | "project_grant";
    resourceId: string;
    role: string;
  }>(sql`select level, resource_id as "resourceId", role from membership_roles
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return authorWith(held);
}
