import type { Reach } from "../../call/index.ts";
import {
  type Candidates,
  fold,
  foldedCandidates,
  type ListFilter,
  list,
  ofAnyNumber,
  orderOf,
  planList,
  type Reader,
  readList,
  type Sql,
  sql,
  text,
  textFilter,
  type VisibleRows,
} from "../../database/index.ts";
import { columns, type OrganizationRow, toOrganization } from "./organization.store.ts";
import type { Organization } from "./organization.ts";
import type { OrganizationFilter, OrganizationSearch } from "./organization-search.ts";

const orders = {
  // Names are sorted without regard to case, as people look for them.
  name: text("name_key"),
  created_at: text("created_at"),
} as const satisfies Record<OrganizationSearch["orderBy"], Sql>;

/** Lists organizations within the reach of a caller. */
export async function listOrganizationRows(
  reader: Reader,
  instanceId: string,
  { reach, search }: { readonly reach: Reach; readonly search: OrganizationSearch },
): Promise<{ organizations: Organization[]; total: number }> {
  const from = text("organizations");
  const instance = sql`instance_id = ${instanceId}`;
  const id = text("organization_id");
  const plan = await planList(
    reader,
    { from, instance, id },
    withOneList(search.filters).map((filter) => toListFilter({ engine: reader.engine, instanceId }, filter)),
    reach.everywhere ? undefined : rowsWithin(reach),
  );
  const { rows, total } = await readList<OrganizationRow>(plan.reader, {
    isPlanned: true,
    columns,
    from,
    where: [instance, ...plan.where],
    orderBy: orderOf(plan, orders[search.orderBy], search.orderBy === "created_at" ? "instant" : "text"),
    id,
    isDescending: search.isDescending,
    page: search.page,
  });
  return { organizations: rows.map(toOrganization), total };
}

function rowsWithin({ organizationIds }: Reach): VisibleRows {
  const condition = sql`organization_id in ${list(organizationIds)}`;
  return { condition, candidates: { condition, isExact: true }, isOwn: organizationIds.length === 0 };
}

/** Puts what several filters by ids have in common into one, so that a statement has one list of them. */
function withOneList(filters: readonly OrganizationFilter[]): readonly OrganizationFilter[] {
  const lists = filters.flatMap((filter) => (filter.by === "ids" ? [new Set(filter.organizationIds)] : []));
  if (lists.length === 0) return filters;
  const common = lists.reduce((left, right) => left.intersection(right));
  return [...filters.filter(({ by }) => by !== "ids"), { by: "ids", organizationIds: [...common] }];
}

const unled = (condition: Sql): ListFilter => ({ condition, candidates: undefined });

interface FilterContext {
  readonly engine: Reader["engine"];
  readonly instanceId: string;
}

function toListFilter(context: FilterContext, filter: OrganizationFilter): ListFilter {
  const condition = toCondition(context.instanceId, filter);
  if (filter.by === "ids") {
    const found = sql`organization_id in ${list(filter.organizationIds)}`;
    return { condition, candidates: { condition: found, isExact: true, atMost: filter.organizationIds.length } };
  }
  if (filter.by !== "name") return unled(condition);
  const { method, name } = filter;
  return { condition, candidates: foldedCandidates(foldedName, method, name) ?? insideCandidates(context, name) };
}

const foldedName = fold(text("name"));

/**
 * Finds organizations by a part of the name, without regard to case; undefined when the index does not support the
 * part, so that all are read.
 */
function insideCandidates({ engine, instanceId }: FilterContext, part: string): Candidates | undefined {
  if (part === "" || part.includes("\0")) return undefined;
  const folded = fold(sql`${part}`);
  if (engine === "postgres") {
    // The trigram index needs three letters, and patterns have special characters.
    if ([...part].length < 3 || /[\\%_]/.test(part)) return undefined;
    return { condition: sql`${foldedName} like '%' || ${folded} || '%'`, isExact: false };
  }
  // The index has the names folded already, whereas the planner would rather read and fold each name.
  const found = sql`select o.organization_id as "id" from organizations o indexed by organizations_by_folded_name
    where o.instance_id = ${instanceId} and strpos(${fold(text("o.name"))}, ${folded}) > 0`;
  return {
    condition: sql`organization_id in (${found})`,
    isExact: false,
    first: (count) => sql`${found} limit ${count}`,
  };
}

function toCondition(instanceId: string, filter: OrganizationFilter): Sql {
  switch (filter.by) {
    case "name":
      return textFilter(text("name"), filter.method, filter.name);
    case "domain":
      // Sign-in applications discover organizations by it, so a claim does not count.
      return sql`exists (select ${ofAnyNumber} 1 from organization_domains d where d.instance_id = ${instanceId}
        and d.organization_id = organizations.organization_id and d.is_proven = 1
        and ${textFilter(text("d.domain"), filter.method, filter.domain)})`;
    case "state":
      return filter.state === undefined ? sql`1 = 0` : sql`state = ${filter.state}`;
    case "id":
      return sql`organization_id = ${filter.organizationId}`;
    case "ids":
      return sql`(organization_id || '') in ${list(filter.organizationIds)}`;
    case "default":
      return sql`exists (select 1 from instances i where i.instance_id = ${instanceId}
        and i.default_organization_id = organizations.organization_id)`;
    default:
      return filter satisfies never;
  }
}
