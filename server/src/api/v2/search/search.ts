import {
  SearchResultKind as WireKind,
  type SearchResult as WireResult,
  SearchResultState as WireState,
} from "@doorward/api/service/search/v2/search_pb";
import { SearchService } from "@doorward/api/service/search/v2/search_service_pb";
import type { Database } from "../../../database/index.ts";
import { type HitKind, type SearchResult, search } from "../../../domain/search/index.ts";
import { type Binding, bind } from "../../contract/index.ts";

/** SearchService. */
export const searchMethods = (deps: { readonly database: Database }): Binding =>
  bind(SearchService, {
    async search(call, { text, organizationId }) {
      const wanted = { text, organizationId: organizationId === "" ? undefined : organizationId };
      return { results: (await search(deps, call, wanted)).map(toMessage) };
    },
  });

const kinds: Readonly<Record<HitKind, WireKind>> = {
  user: WireKind.USER,
  service_account: WireKind.SERVICE_ACCOUNT,
  organization: WireKind.ORGANIZATION,
  project: WireKind.PROJECT,
  application: WireKind.APPLICATION,
  project_grant: WireKind.PROJECT_GRANT,
  group: WireKind.GROUP,
  identity_provider: WireKind.IDENTITY_PROVIDER,
  session: WireKind.SESSION,
  target: WireKind.TARGET,
  authorization: WireKind.AUTHORIZATION,
  events: WireKind.EVENTS,
  sign_in_attempt: WireKind.SIGN_IN_ATTEMPT,
};

const states: Readonly<Record<NonNullable<SearchResult["state"]>, WireState>> = {
  active: WireState.ACTIVE,
  inactive: WireState.INACTIVE,
  locked: WireState.LOCKED,
  initial: WireState.INITIAL,
};

function toMessage({ kind, state, ...result }: SearchResult): Omit<WireResult, "$typeName"> {
  const { id, name, detail, organizationId, organizationName } = result;
  const { projectId = "", grantedOrganizationId = "", userId = "" } = result;
  return {
    kind: kinds[kind],
    id,
    name,
    detail,
    organizationId,
    organizationName,
    state: state === undefined ? WireState.UNSPECIFIED : states[state],
    projectId,
    grantedOrganizationId,
    userId,
  };
}
