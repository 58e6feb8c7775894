import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { SMSProviderConfigState, type SMSProviderSchema } from "@doorward/api/service/settings/v1/sms_pb";
import { Secret } from "../../../../base/secret.ts";
import type { Call } from "../../../../call/index.ts";
import {
  type AddHttpProviderDeps,
  addProvider,
  getProvider,
  type MessageProvider,
  setProviderSecret,
  shownSigningKey,
  updateProvider,
} from "../../../../domain/message-provider/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { methodsOfEndpoints, methodsOfProviders } from "./provider-methods.ts";

const channel = "sms";
const kinds = ["twilio", "http"] as const;

/**
 * Methods on SMS providers. Only roles of the instance carry their permissions, so the contract's declaration suffices.
 */
export function smsProviderMethods(deps: AddHttpProviderDeps): Binding {
  const { list, activate, deactivate, remove } = methodsOfProviders(deps, { channel, kinds });
  const endpoint = methodsOfEndpoints(deps, channel);
  return bind(AdminService, {
    listSMSProviders: (call, { query }) => list(call, query, (provider) => toMessage(deps, call, provider)),
    async getSMSProvider(call, { id }) {
      return { config: toMessage(deps, call, await getProvider(deps, call, { channel, providerId: id })) };
    },
    async addSMSProviderTwilio(call, { sid, token, senderNumber, verifyServiceSid, description }) {
      const { providerId: id, details } = await addProvider(deps, call, {
        channel,
        description,
        configuration: { kind: "twilio", sid, senderNumber, verifyServiceSid },
        secret: new Secret(token),
      });
      return { id, details: toObjectDetails(details) };
    },
    async updateSMSProviderTwilio(call, { id: providerId, sid, senderNumber, verifyServiceSid, description }) {
      const { details } = await updateProvider(deps, call, {
        channel,
        kind: "twilio",
        providerId,
        description,
        configure: () => ({ configuration: { kind: "twilio", sid, senderNumber, verifyServiceSid } }),
      });
      return { details: toObjectDetails(details) };
    },
    async updateSMSProviderTwilioToken(call, { id: providerId, token }) {
      const input = { channel, kind: "twilio", providerId, secret: new Secret(token) } as const;
      return { details: toObjectDetails((await setProviderSecret(deps, call, input)).details) };
    },
    addSMSProviderHTTP: endpoint.add,
    updateSMSProviderHTTP: endpoint.update,
    activateSMSProvider: activate,
    deactivateSMSProvider: deactivate,
    removeSMSProvider: remove,
  });
}

const states = {
  active: SMSProviderConfigState.SMS_PROVIDER_CONFIG_ACTIVE,
  inactive: SMSProviderConfigState.SMS_PROVIDER_CONFIG_INACTIVE,
} as const;

function toMessage(
  deps: AddHttpProviderDeps,
  call: Call,
  provider: MessageProvider,
): MessageInitShape<typeof SMSProviderSchema> {
  const { providerId: id, state, description, configuration, details } = provider;
  const common = { id, state: states[state], description, details: toObjectDetails(details) };
  switch (configuration.kind) {
    case "twilio": {
      const { sid, senderNumber, verifyServiceSid } = configuration;
      return { ...common, config: { case: "twilio", value: { sid, senderNumber, verifyServiceSid } } };
    }
    case "http": {
      const { endpoint } = configuration;
      const signingKey = shownSigningKey(deps, call, provider);
      return { ...common, config: { case: "http", value: { endpoint, signingKey } } };
    }
    case "smtp":
      throw new Error("SMTP sends no text messages");
    default:
      return configuration satisfies never;
  }
}
