import {
  type List,
  list as oneOf,
  type Page,
  type Reader,
  readList,
  type Sql,
  sql,
  type TextMethod,
  text,
  textFilter,
} from "../../database/index.ts";
import { type ProviderRow, providerColumns, toIdentityProvider } from "./identity-provider.store.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { ProviderKind } from "./provider-kinds.ts";
import { mostUnpacking } from "./saml/saml-metadata.ts";

export type ProviderFilter =
  | { readonly by: "id"; readonly identityProviderId: string }
  | { readonly by: "name"; readonly name: string; readonly method: TextMethod }
  | { readonly by: "owner"; readonly owner: "instance" | "organization" };

export interface ProviderSearch {
  /** The organization whose providers are listed besides the instance's; empty for the instance's only. */
  readonly organizationId: string;
  /** Only providers of these kinds; all kinds when absent. */
  readonly kinds?: readonly ProviderKind[] | undefined;
  readonly filters: readonly ProviderFilter[];
  readonly orderBy: "created_at" | "name";
  readonly isDescending: boolean;
  readonly page: Page;
}

const orders = {
  created_at: text("created_at"),
  // Names are sorted without regard to case, as people look for them.
  name: text("name_key"),
} as const satisfies Record<ProviderSearch["orderBy"], Sql>;

/** Lists the providers that an organization can use. */
export async function listProviderRows(
  reader: Reader,
  instanceId: string,
  { organizationId, kinds, filters, orderBy, isDescending, page }: ProviderSearch,
): Promise<List<IdentityProvider>> {
  const { rows, total } = await readList<ProviderRow>(reader, {
    columns: providerColumns,
    from: text("identity_providers"),
    where: [
      sql`instance_id = ${instanceId}`,
      sql`organization_id in ${oneOf(["", organizationId])}`,
      ...(kinds === undefined ? [] : [sql`kind in ${oneOf(kinds)}`]),
      ...filters.map(toCondition),
    ],
    orderBy: orders[orderBy],
    id: text("identity_provider_id"),
    isDescending,
    page,
    // Metadata of SAML providers is longer in the answer.
    weight: sql`length(configuration) * case when kind = 'saml' then ${mostUnpacking} else 1 end`,
  });
  return { rows: rows.map((row) => toIdentityProvider(instanceId, row)), total };
}

function toCondition(filter: ProviderFilter): Sql {
  switch (filter.by) {
    case "id":
      return sql`identity_provider_id = ${filter.identityProviderId}`;
    case "name":
      return textFilter(text("name"), filter.method, filter.name);
    case "owner":
      return filter.owner === "instance" ? sql`organization_id = ''` : sql`organization_id <> ''`;
    default:
      return filter satisfies never;
  }
}
