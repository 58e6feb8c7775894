import { useQuery } from "@connectrpc/connect-query";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { Link } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext } from "react";

/** Names of organizations by their ids, as far as they are known. */
const Names = createContext<ReadonlyMap<string, string> | undefined>(undefined);

const staleTime = 300_000;

/** Reads the names of the organizations of a list by one call, for the rows inside. */
export function OrganizationNames(props: {
  readonly of: readonly (string | undefined)[] | undefined;
  readonly children: ReactNode;
}) {
  const ids = [...new Set(props.of)].filter((id) => id !== undefined && id !== "").sort() as string[];
  const { data } = useQuery(
    OrganizationService.method.listOrganizations,
    { query: { limit: Math.max(1, ids.length) }, queries: [{ query: { case: "inIdsQuery", value: { ids } } }] },
    { enabled: ids.length > 0, placeholderData: (former) => former, staleTime },
  );
  const names = new Map(data?.result.map(({ id, name }) => [id, name]));
  return <Names value={names}>{props.children}</Names>;
}

/** Returns an organization by its id. The answer is kept for a while, because pages ask for the same ones often. */
export function useOrganization(id: string | undefined) {
  const { data } = useQuery(
    OrganizationService.method.listOrganizations,
    { queries: [{ query: { case: "idQuery", value: { id: id ?? "" } } }] },
    { enabled: id !== undefined && id !== "", staleTime },
  );
  return data?.result[0];
}

/** Name of an organization, which leads to it: as the row or its list has read it, or else by a call of its own. */
export function OrganizationName(props: { readonly id: string | undefined; readonly name?: string | undefined }) {
  const { id = "", name: given = "" } = props;
  const names = useContext(Names);
  const known = given || names?.get(id);
  const organization = useOrganization(known === undefined && names === undefined ? id : undefined);
  if (id === "") return <span className="muted">–</span>;
  return <Link to={`/organizations/${id}` as "/"}>{known ?? organization?.name ?? id}</Link>;
}
