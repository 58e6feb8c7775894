import type { Reach } from "../../call/index.ts";
import { type Reader, readerAtLength, type Sql, sql, text } from "../../database/index.ts";
import type { ProjectState } from "../project/index.ts";
import type { Hit, Wanted } from "./hit.ts";
import { anyOf, beginsWith, cross, readParts, visibleParts } from "./hits.store.ts";

type Row = Pick<Hit, "id" | "name" | "organizationId"> & { readonly state: ProjectState };

const columns = text(
  `p.project_id as "id", p.name as "name", p.organization_id as "organizationId", p.state as "state"`,
);

/** Finds projects by name or id: those of their owners, and those that were granted to an organization. */
export async function findProjects(
  reader: Reader,
  instanceId: string,
  { reach, wanted }: { readonly reach: Reach; readonly wanted: Wanted },
): Promise<Hit[]> {
  const rows = await Promise.all([
    readOwned(reader, instanceId, { reach, wanted }),
    readGranted(reader, instanceId, { reach, wanted }),
  ]);
  return rows.flat().map((row) => ({ ...row, kind: "project", detail: "" }));
}

const named = (wanted: Wanted): Sql[] => beginsWith(text("p.name_key"), wanted);

function readOwned(
  reader: Reader,
  instanceId: string,
  { reach, wanted }: { readonly reach: Reach; readonly wanted: Wanted },
): Promise<Row[]> {
  const visible = visibleParts(reach, wanted, {
    organizationId: text("p.organization_id"),
    projectId: text("p.project_id"),
  });
  const instance = sql`p.instance_id = ${instanceId} and (p.project_id || '') <> ''`;
  return readParts<Row>(reader, { columns, from: text("projects p"), instance }, [
    ...cross([sql`p.project_id = ${wanted.text}`], anyOf(visible)),
    ...cross(named(wanted), visible),
  ]);
}

// Callers who read all projects have found them as those of their owners already, unless they named the organization
// that a project was granted to.
function readGranted(
  reader: Reader,
  instanceId: string,
  { reach, wanted }: { readonly reach: Reach; readonly wanted: Wanted },
): Promise<Row[]> {
  if (reach.everywhere && wanted.organizationId === undefined) return Promise.resolve([]);
  const visible = visibleParts({ ...reach, projectIds: [] }, wanted, {
    organizationId: text("g.granted_organization_id"),
    projectGrantId: text("g.grant_id"),
  });
  const from = text(`project_grants g
    join projects p on p.instance_id = g.instance_id and p.project_id = g.project_id`);
  const instance = sql`g.instance_id = ${instanceId}`;
  const isWanted = [sql`p.project_id = ${wanted.text}`, ...named(wanted)];
  // How many projects were granted to an organization, others decide.
  return readParts<Row>(readerAtLength(reader), { columns, from, instance }, cross(anyOf(isWanted), visible));
}
