import type { Item, OwnCases } from "./list.ts";

/** Cases of the filter by the resource of a position. */
export const resources: OwnCases = {
  cases: (_things, items) => {
    const each = <Kind extends string>(kind: Kind, field: string): Set<string> =>
      new Set(items.flatMap((item) => (item[kind] === undefined ? [] : [item[kind][field]])));
    const projects = [...each("projectGrant", "projectId")];
    const partners = [...each("projectGrant", "grantedOrganizationId")];
    return [
      { filter: { resource: { instance: true } }, means: ({ instance }) => instance === true },
      ...[...each("organization", "id")].slice(0, 2).map((id) => ofResource("organization", id)),
      ...[...each("project", "id")].slice(0, 2).map((id) => ofResource("project", id)),
      ...[...each("projectGrant", "id")].slice(0, 2).map((projectGrantId) => ({
        filter: { resource: { projectGrant: { projectGrantId } } },
        means: ({ projectGrant: grant }: Item) => grant?.id === projectGrantId,
      })),
      // Also those that were never lent to whom.
      ...projects.flatMap((projectId) =>
        partners.map((organizationId) => ({
          filter: { resource: { projectGrant: { projectId, organizationId } } },
          means: ({ projectGrant: grant }: Item) =>
            grant?.projectId === projectId && grant.grantedOrganizationId === organizationId,
        })),
      ),
    ];
  },
};

const ofResource = (kind: "organization" | "project", id: string) => ({
  filter: { resource: { [`${kind}Id`]: id } },
  means: (item: Item) => item[kind]?.id === id,
});

/** Cases of the filter by the organization that owns a project, or that it was lent to. */
export const ofOrganization: OwnCases = {
  cases: ({ organizations }) => {
    const of = (item: Item, id: string | undefined, owned: boolean, granted: boolean): boolean =>
      item.grantedOrganizationId === undefined
        ? owned && item.organizationId === id
        : granted && item.grantedOrganizationId === id;
    return organizations.flatMap((organizationId) =>
      (
        [
          ["TYPE_UNSPECIFIED", true, true],
          ["OWNED", true, false],
          ["GRANTED", false, true],
          ["OWNED_OR_GRANTED", true, true],
        ] as const
      ).map(([type, owned, granted]) => ({
        filter: { organizationIdFilter: { organizationId, type } },
        means: (item) => of(item, organizationId, owned, granted),
      })),
    );
  },
};
