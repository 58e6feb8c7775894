import type { Reach } from "../../call/index.ts";
import { picked, type Reader, readerAtLength, sql, text } from "../../database/index.ts";
import type { ProjectGrantState } from "../project/index.ts";
import type { Hit, Wanted } from "./hit.ts";
import { anyOf, beginsWith, cross, readParts, visibleParts } from "./hits.store.ts";

type Row = Pick<Hit, "id" | "name" | "detail" | "organizationId"> & {
  readonly projectId: string;
  readonly grantedOrganizationId: string;
  readonly state: ProjectGrantState;
};

const columns = text(`g.grant_id as "id", p.name as "name", o.name as "detail", g.organization_id as "organizationId",
  g.project_id as "projectId", g.granted_organization_id as "grantedOrganizationId", g.state as "state"`);

const joined = text(`g.instance_id = p.instance_id and g.project_id = p.project_id
  and o.instance_id = g.instance_id and o.organization_id = g.granted_organization_id`);

interface Search {
  readonly reach: Reach;
  readonly wanted: Wanted;
}

/** Finds project grants by the name of the project or of the organization that it was granted to, or by id. */
export async function findProjectGrants(reader: Reader, instanceId: string, search: Search): Promise<Hit[]> {
  const rows = await Promise.all([
    readByProject(reader, instanceId, search),
    readByOrganization(reader, instanceId, search),
    readByGrant(reader, instanceId, search),
  ]);
  return rows.flat().map((row) => ({ ...row, kind: "project_grant" }));
}

// With `cross join` SQLite begins with the table whose names are in order.

/** Those of the owners' projects, by the name of the project. */
function readByProject(reader: Reader, instanceId: string, { reach, wanted }: Search): Promise<Row[]> {
  const from = text("projects p cross join project_grants g cross join organizations o");
  const instance = sql`p.instance_id = ${instanceId} and (p.project_id || '') <> '' and ${joined}`;
  const owner = { organizationId: text("p.organization_id"), projectId: text("p.project_id") };
  const parts = cross(beginsWith(text("p.name_key"), wanted), visibleParts(reach, wanted, owner));
  return readParts(reader, { columns, from, instance }, parts);
}

const isOfAll = ({ reach, wanted }: Search): boolean => reach.everywhere && wanted.organizationId === undefined;

/** All of them, by the name of the organization that the project was granted to. */
function readByOrganization(reader: Reader, instanceId: string, search: Search): Promise<Row[]> {
  const from = text("organizations o cross join project_grants g cross join projects p");
  const instance = sql`o.instance_id = ${instanceId} and ${joined}`;
  const parts = isOfAll(search) ? beginsWith(text("o.name_key"), search.wanted) : [];
  return readParts(reader, { columns, from, instance }, parts);
}

/** Those that a caller sees from either side, among these by both names; and one by id. */
function readByGrant(reader: Reader, instanceId: string, search: Search): Promise<Row[]> {
  const { reach, wanted } = search;
  const from = text("project_grants g cross join organizations o cross join projects p");
  const instance = sql`g.instance_id = ${instanceId} and ${joined}`;
  const grantId = text("g.grant_id");
  const owner = { organizationId: text("g.organization_id"), projectId: text("g.project_id"), projectGrantId: grantId };
  const asOwner = visibleParts(reach, wanted, owner);
  const asGranted = visibleParts({ ...reach, projectIds: [] }, wanted, {
    organizationId: text("g.granted_organization_id"),
  });
  const visible = [...asOwner, ...asGranted];
  const isNamed = [text("p.name_key"), text("o.name_key")].flatMap((name) => beginsWith(name, wanted));
  // How many grants an organization gives, it decides itself; of those that others give unasked, each has a limit.
  return readParts(readerAtLength(reader), { columns, from, instance }, [
    ...cross([sql`g.grant_id = ${wanted.text}`], anyOf(visible)),
    ...(isOfAll(search) ? [] : cross(anyOf(isNamed).map(picked), visible)),
  ]);
}
