import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type FlowSchema,
  FlowState,
  type FlowTypeSchema,
  type TriggerTypeSchema,
} from "@doorward/api/service/action/v1/action_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { Fault } from "../../../../base/fault.ts";
import type { Language } from "../../../../base/language.ts";
import { requireOrganization } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import {
  clearFlow,
  type Flow,
  type FlowName,
  getFlow,
  setTriggerScripts,
  type TriggerName,
  triggersOfFlows,
} from "../../../../domain/script/index.ts";
import type { Texts } from "../../../../text/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { toActionMessage } from "./action.ts";

interface Deps {
  readonly database: Database;
  readonly texts: Texts;
}

/** ManagementService: flows of the organization of the call, and which actions (scripts) run in them. */
export function managementFlowMethods(deps: Deps): Binding {
  const nameFlow = nameFlowIn(deps.texts);
  const nameTrigger = nameTriggerIn(deps.texts);
  return bind(ManagementService, {
    async listFlowTypes({ language }) {
      return { result: flowNames.map((flow) => nameFlow(language, flow)) };
    },
    async listFlowTriggerTypes({ language }, { type }) {
      return { result: triggersOfFlows[toFlow(type, "type")].map((trigger) => nameTrigger(language, trigger)) };
    },
    async getFlow(call, { type }) {
      const flow = await getFlow(deps, call, { organizationId: requireOrganization(call), flow: toFlow(type, "type") });
      return { flow: toMessage(deps.texts, call.language, flow) };
    },
    async clearFlow(call, { type }) {
      const key = { organizationId: requireOrganization(call), flow: toFlow(type, "type") };
      return { details: toObjectDetails(await clearFlow(deps, call, key)) };
    },
    async setTriggerActions(call, { flowType, triggerType, actionIds: scriptIds }) {
      const organizationId = requireOrganization(call);
      const at = { flow: toFlow(flowType, "flowType"), trigger: toTrigger(triggerType, "triggerType") };
      return { details: toObjectDetails(await setTriggerScripts(deps, call, { organizationId, ...at, scriptIds })) };
    },
  });
}

/** The numbers of the interface, which also order the list. */
const flowNumbers = {
  external_authentication: "1",
  complement_token: "2",
  internal_authentication: "3",
  complement_saml_response: "4",
} as const satisfies Record<FlowName, string>;

const triggerNumbers = {
  post_authentication: "1",
  pre_creation: "2",
  post_creation: "3",
  pre_userinfo: "4",
  pre_access_token: "5",
  pre_saml_response: "6",
} as const satisfies Record<TriggerName, string>;

const flowNames = Object.keys(flowNumbers) as FlowName[];
const triggerNames = Object.keys(triggerNumbers) as TriggerName[];

// Clients send the number or the name of the enumeration.
function toFlow(type: string, field: string): FlowName {
  const found = flowNames.find((name) => flowNumbers[name] === type || `FLOW_TYPE_${name.toUpperCase()}` === type);
  if (found === undefined) throw new Fault("invalid_argument", "flow.type_unknown", { field });
  return found;
}

function toTrigger(type: string, field: string): TriggerName {
  const found = triggerNames.find(
    (name) => triggerNumbers[name] === type || `TRIGGER_TYPE_${name.toUpperCase()}` === type,
  );
  if (found === undefined) throw new Fault("invalid_argument", "flow.trigger_unknown", { field });
  return found;
}

const toKey = (name: string): string =>
  name
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");

const nameFlowIn =
  (texts: Texts) =>
  (language: Language, flow: FlowName): MessageInitShape<typeof FlowTypeSchema> => ({
    id: flowNumbers[flow],
    name: { key: `Action.Flow.Type.${toKey(flow)}`, localizedMessage: texts.translate(language, `flow.type.${flow}`) },
  });

const nameTriggerIn =
  (texts: Texts) =>
  (language: Language, trigger: TriggerName): MessageInitShape<typeof TriggerTypeSchema> => ({
    id: triggerNumbers[trigger],
    name: {
      key: `Action.TriggerType.${toKey(trigger)}`,
      localizedMessage: texts.translate(language, `flow.trigger.${trigger}`),
    },
  });

const toMessage = (
  texts: Texts,
  language: Language,
  { flow, triggers, details }: Flow,
): MessageInitShape<typeof FlowSchema> => ({
  type: nameFlowIn(texts)(language, flow),
  ...(details && { details: toObjectDetails(details) }),
  state: triggers.length > 0 ? FlowState.ACTIVE : FlowState.INACTIVE,
  triggerActions: triggers.map(({ trigger, scripts }) => ({
    triggerType: nameTriggerIn(texts)(language, trigger),
    actions: scripts.map(toActionMessage),
  })),
});
