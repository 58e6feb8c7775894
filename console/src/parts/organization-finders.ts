import { createClient, type Transport } from "@connectrpc/connect";
import { TextQueryMethod } from "@doorward/api/service/object/v2/query_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import type { Choice } from "./picker.tsx";

/** Returns how pickers find organizations: at most ten, by the server. */
export function organizationFinders(transport: Transport) {
  const organizations = createClient(OrganizationService, transport);
  return {
    async findOrganizations(text: string): Promise<readonly Choice[]> {
      const value = { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
      const { result } = await organizations.listOrganizations({
        query: { limit: 10, asc: true, countUpTo: 1 },
        queries: text === "" ? [] : [{ query: { case: "nameQuery", value } }],
      });
      return result.map(({ id, name, primaryDomain }) => ({ id, name, detail: primaryDomain }));
    },
  };
}
