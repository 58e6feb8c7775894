import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import { ActionFieldName, type ActionSchema, ActionState } from "@doorward/api/service/action/v1/action_pb";
import type { ActionQuery } from "@doorward/api/service/management/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { IdGenerator } from "../../../../base/id.ts";
import { requireOrganization } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { deleteScript } from "../../../../domain/deletion/index.ts";
import {
  createScript,
  getScript,
  listScripts,
  type Script,
  type ScriptFilter,
  type ScriptInput,
  type ScriptSearch,
  setScriptState,
  updateScript,
} from "../../../../domain/script/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
  toTextMethod,
} from "../../../contract/index.ts";

/** ManagementService: actions (scripts) of the organization of the call. */
export function managementActionMethods(deps: { readonly database: Database; readonly newId: IdGenerator }): Binding {
  return bind(ManagementService, {
    async listActions(call, { query, sortingColumn, queries }) {
      const { rows, total } = await listScripts(deps, call, {
        ...toPageV1(query),
        organizationId: requireOrganization(call),
        filters: queries.map(toFilter),
        orderBy: columns[sortingColumn] ?? refuseFilter("sortingColumn"),
      });
      return { details: toListDetailsV1(total, call.now), sortingColumn, result: rows.map(toActionMessage) };
    },
    async getAction(call, { id: scriptId }) {
      const script = await getScript(deps, call, { organizationId: requireOrganization(call), scriptId });
      return { action: toActionMessage(script) };
    },
    async createAction(call, request) {
      const organizationId = requireOrganization(call);
      const { scriptId, details } = await createScript(deps, call, { organizationId, ...toInput(request) });
      return { details: toObjectDetails(details), id: scriptId };
    },
    async updateAction(call, { id: scriptId, ...request }) {
      const key = { organizationId: requireOrganization(call), scriptId };
      return { details: toObjectDetails(await updateScript(deps, call, { ...key, ...toInput(request) })) };
    },
    async deactivateAction(call, { id: scriptId }) {
      const key = { organizationId: requireOrganization(call), scriptId };
      return { details: toObjectDetails(await setScriptState(deps, call, { ...key, state: "inactive" })) };
    },
    async reactivateAction(call, { id: scriptId }) {
      const key = { organizationId: requireOrganization(call), scriptId };
      return { details: toObjectDetails(await setScriptState(deps, call, { ...key, state: "active" })) };
    },
    async deleteAction(call, { id: scriptId }) {
      await deleteScript(deps, call, { organizationId: requireOrganization(call), scriptId });
      return {};
    },
  });
}

const columns: Readonly<Partial<Record<ActionFieldName, ScriptSearch["orderBy"]>>> = {
  [ActionFieldName.UNSPECIFIED]: "created_at",
  [ActionFieldName.NAME]: "name",
  [ActionFieldName.ID]: "id",
  [ActionFieldName.STATE]: "state",
};

interface WrittenAction {
  readonly name: string;
  readonly script: string;
  readonly timeout?: Duration | undefined;
  readonly allowedToFail: boolean;
}

const toInput = ({ name, script, timeout, allowedToFail }: WrittenAction): ScriptInput => ({
  name,
  script,
  timeout: timeout === undefined ? 0 : Number(timeout.seconds) * 1000 + Math.ceil(timeout.nanos / 1_000_000),
  isAllowedToFail: allowedToFail,
});

/** Converts a script to the message of the interface. */
export const toActionMessage = (script: Script): MessageInitShape<typeof ActionSchema> => ({
  id: script.scriptId,
  details: toObjectDetails(script.details),
  state: script.state === "active" ? ActionState.ACTIVE : ActionState.INACTIVE,
  name: script.name,
  script: script.script,
  timeout: { seconds: BigInt(Math.floor(script.timeout / 1000)), nanos: (script.timeout % 1000) * 1_000_000 },
  allowedToFail: script.isAllowedToFail,
});

function toFilter({ query }: ActionQuery, index: number): ScriptFilter {
  switch (query.case) {
    case "actionIdQuery":
      return { by: "id", scriptId: query.value.id };
    case "actionNameQuery":
      return { by: "name", method: toTextMethod(query.value.method), name: query.value.name };
    case "actionStateQuery":
      return { by: "state", state: toState(query.value.state) };
    case undefined:
      return refuseFilter(`queries[${index}]`);
    default:
      return query satisfies never;
  }
}

function toState(state: ActionState): Script["state"] {
  if (state === ActionState.ACTIVE) return "active";
  if (state === ActionState.INACTIVE) return "inactive";
  return refuseFilter("state");
}
