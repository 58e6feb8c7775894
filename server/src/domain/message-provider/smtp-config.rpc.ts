import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type SMTPConfigSchema, SMTPConfigState } from "@doorward/api/service/settings/v1/email_pb";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import { activateProvider } from "./activate-provider.ts";
import { addProvider } from "./add-provider.ts";
import { deactivateProvider } from "./deactivate-provider.ts";
import type { MessageProviderDeps } from "./email-provider.rpc.ts";
import { getActiveProvider, getProvider } from "./get-provider.ts";
import { listProviders } from "./list-providers.ts";
import { type MessageProvider, requireProvider } from "./message-provider.ts";
import { removeProvider } from "./remove-provider.ts";
import { sendTestMail, testSmtpConfiguration } from "./send-test-mail.ts";
import { setProviderSecret } from "./set-provider-secret.ts";
import { fromSmtpRequest, toSecret } from "./smtp.rpc.ts";
import { updateProvider } from "./update-provider.ts";

const channel = "email";
// The older operations know SMTP servers alone: another provider is not there for them.
const kinds = ["smtp"] as const;

/** E-mail providers by the older operations. */
export const smtpConfigMethods = (deps: MessageProviderDeps): Binding =>
  bind(AdminService, {
    async listSMTPConfigs(call, { query }) {
      const { rows, total } = await listProviders(deps, call, { channel, kinds, ...toPage(query, "query") });
      return { details: toListDetailsV1(total, call.now), result: rows.map(toMessage) };
    },
    async getSMTPConfig(call) {
      return { smtpConfig: toMessage(await getActiveProvider(deps, call, { channel, kinds })) };
    },
    async getSMTPConfigById(call, { id }) {
      return { smtpConfig: toMessage(await getProvider(deps, call, { channel, kinds, providerId: id })) };
    },
    async addSMTPConfig(call, request) {
      const { configuration, secret } = fromSmtpRequest(request);
      const { description } = request;
      const { providerId: id, details } = await addProvider(deps, call, {
        ...{ channel, configuration, secret, description },
      });
      return { id, details: toObjectDetails(details) };
    },
    async updateSMTPConfig(call, request) {
      const { id: providerId, description } = request;
      const updated = await updateProvider(deps, call, {
        ...{ channel, kind: "smtp", providerId, description },
        configure: (current) => fromSmtpRequest(request, current),
      });
      return { details: toObjectDetails(updated.details) };
    },
    async updateSMTPConfigPassword(call, { id: providerId, password }) {
      const secret = toSecret(password, "password");
      const { details } = await setProviderSecret(deps, call, { channel, kind: "smtp", providerId, secret });
      return { details: toObjectDetails(details) };
    },
    async activateSMTPConfig(call, { id }) {
      return { details: toObjectDetails(await activateProvider(deps, call, { channel, kinds, providerId: id })) };
    },
    async deactivateSMTPConfig(call, { id }) {
      return { details: toObjectDetails(await deactivateProvider(deps, call, { channel, kinds, providerId: id })) };
    },
    async removeSMTPConfig(call, { id }) {
      return { details: toObjectDetails(await removeProvider(deps, call, { channel, kinds, providerId: id })) };
    },
    async testSMTPConfigById(call, { id, receiverAddress }) {
      await sendTestMail(deps, call, { providerId: id, recipient: receiverAddress });
      return {};
    },
    async testSMTPConfig(call, request) {
      const { id: providerId, receiverAddress: recipient } = request;
      await testSmtpConfiguration(deps, call, { ...fromSmtpRequest(request), providerId, recipient });
      return {};
    },
  });

const states = { active: SMTPConfigState.SMTP_CONFIG_ACTIVE, inactive: SMTPConfigState.SMTP_CONFIG_INACTIVE } as const;

function toMessage(provider: MessageProvider): MessageInitShape<typeof SMTPConfigSchema> {
  const { providerId: id, state, description, configuration, details } = requireProvider(provider, kinds);
  const { senderAddress, senderName, tls, host, user, replyToAddress } = configuration;
  return {
    ...{ id, description, senderAddress, senderName, tls, host, user, replyToAddress },
    state: states[state],
    details: toObjectDetails(details),
  };
}
