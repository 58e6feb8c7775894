import type { Instant } from "../../base/clock.ts";
import { list, type Reader, sql, text } from "../../database/index.ts";
import { type Asker, isLentTo } from "../project/index.ts";
import type { Resource } from "./resource.ts";
import { type ResourceRow, resourceColumns, toResource } from "./resource-row.ts";
import { parseResourceUri } from "./resource-uri.ts";

/** A resource for which tokens are requested, seen from the organization of a client. */
export interface AudienceResource extends Resource {
  readonly organizationName: string;
  /** Whether the organization of the client owns its project, or was granted it and is the user's. */
  readonly isShared: boolean;
}

// A resource counts while it, its project and its organization are active.
const active = text(`from resources
    join projects p on p.instance_id = resources.instance_id and p.project_id = resources.project_id
      and p.state = 'active'
    join organizations o on o.instance_id = resources.instance_id and o.organization_id = resources.organization_id
      and o.state = 'active'`);

/** Lists those of the resources that are registered and count, by their URIs in any spelling. */
export async function listAudienceResources(
  reader: Reader,
  instanceId: string,
  { uris, ...asker }: Asker & { readonly uris: readonly string[] },
): Promise<AudienceResource[]> {
  const keys = keysOf(uris);
  if (keys.length === 0) return [];
  const rows = await reader.all<ResourceRow & { readonly organizationName: string; readonly isShared: number }>(
    sql`select ${resourceColumns}, o.name as "organizationName",
      case when resources.organization_id = ${asker.organizationId} or ${isLentTo(instanceId, "resources", asker)} then 1 else 0
        end as "isShared"
    ${active}
    where resources.instance_id = ${instanceId} and resources.state = 'active' and resources.uri_key in ${list(keys)}
    order by resources.created_at, resources.resource_id`,
  );
  return rows.map(({ isShared, organizationName, ...row }) => ({
    ...toResource(row),
    organizationName,
    isShared: isShared === 1,
  }));
}

/**
 * Whether an API application may introspect a token for one of the URIs, which was issued at the instant: it is of the
 * project of that resource, and among its applications. A resource that was registered later is another one.
 */
export async function mayIntrospect(
  reader: Reader,
  instanceId: string,
  asked: {
    readonly uris: readonly string[];
    readonly application: { readonly applicationId: string; readonly projectId: string };
    readonly issuedAt: Instant;
  },
): Promise<boolean> {
  const { application, issuedAt } = asked;
  const keys = keysOf(asked.uris);
  if (keys.length === 0) return false;
  const rows = await reader.all<ResourceRow>(sql`select ${resourceColumns} ${active}
    where resources.instance_id = ${instanceId} and resources.state = 'active' and resources.uri_key in ${list(keys)}
      and resources.project_id = ${application.projectId} and resources.created_at <= ${issuedAt}`);
  return rows
    .map(toResource)
    .some(({ applicationIds }) => applicationIds.length === 0 || applicationIds.includes(application.applicationId));
}

/** Lists project and organization of those of the resources that are registered, in any state. */
export async function listResourceOwners(
  reader: Reader,
  instanceId: string,
  uris: readonly string[],
): Promise<{ readonly uriKey: string; readonly projectId: string; readonly organizationId: string }[]> {
  const keys = keysOf(uris);
  if (keys.length === 0) return [];
  return reader.all(sql`select uri_key as "uriKey", project_id as "projectId", organization_id as "organizationId"
    from resources where instance_id = ${instanceId} and uri_key in ${list(keys)}`);
}

const keysOf = (uris: readonly string[]): string[] => [
  ...new Set(uris.map((uri) => parseResourceUri(uri)?.key).filter((key) => key !== undefined)),
];
