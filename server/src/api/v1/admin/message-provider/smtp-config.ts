import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type SMTPConfigSchema, SMTPConfigState } from "@doorward/api/service/settings/v1/email_pb";
import {
  getActiveProvider,
  getProvider,
  type MessageProvider,
  requireProvider,
} from "../../../../domain/message-provider/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { methodsOfProviders } from "./provider-methods.ts";
import { type MessageProviderDeps, methodsOfSmtp } from "./smtp-methods.ts";

const channel = "email";
// The older operations know only SMTP servers: to them, other providers do not exist.
const kinds = ["smtp"] as const;

/** Email providers by the older operations. */
export function smtpConfigMethods(deps: MessageProviderDeps): Binding {
  const { list, activate, deactivate, remove } = methodsOfProviders(deps, { channel, kinds });
  const smtp = methodsOfSmtp(deps);
  return bind(AdminService, {
    listSMTPConfigs: (call, { query }) => list(call, query, toMessage),
    async getSMTPConfig(call) {
      return { smtpConfig: toMessage(await getActiveProvider(deps, call, { channel, kinds })) };
    },
    async getSMTPConfigById(call, { id }) {
      return { smtpConfig: toMessage(await getProvider(deps, call, { channel, kinds, providerId: id })) };
    },
    addSMTPConfig: smtp.add,
    updateSMTPConfig: smtp.update,
    updateSMTPConfigPassword: smtp.setPassword,
    activateSMTPConfig: activate,
    deactivateSMTPConfig: deactivate,
    removeSMTPConfig: remove,
    testSMTPConfigById: smtp.testById,
    testSMTPConfig: smtp.test,
  });
}

const states = { active: SMTPConfigState.SMTP_CONFIG_ACTIVE, inactive: SMTPConfigState.SMTP_CONFIG_INACTIVE } as const;

function toMessage(provider: MessageProvider): MessageInitShape<typeof SMTPConfigSchema> {
  const { providerId: id, state, description, configuration, details } = requireProvider(provider, kinds);
  const { senderAddress, senderName, tls, host, user, replyToAddress } = configuration;
  return {
    id,
    description,
    senderAddress,
    senderName,
    tls,
    host,
    user,
    replyToAddress,
    state: states[state],
    details: toObjectDetails(details),
  };
}
