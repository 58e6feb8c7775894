import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import {
  type EmailProviderSchema,
  type EmailProviderSMTPSchema,
  EmailProviderState,
} from "@doorward/api/service/settings/v1/email_pb";
import type { Call } from "../../call/index.ts";
import { type Binding, bind, toListDetailsV1, toObjectDetails, toPage } from "../../contract/index.ts";
import { activateProvider } from "./activate-provider.ts";
import { type AddHttpProviderDeps, addHttpProvider } from "./add-http-provider.ts";
import { addProvider } from "./add-provider.ts";
import { deactivateProvider } from "./deactivate-provider.ts";
import { getActiveProvider, getProvider } from "./get-provider.ts";
import { listProviders } from "./list-providers.ts";
import type { MessageProvider, SmtpConfiguration } from "./message-provider.ts";
import { removeProvider } from "./remove-provider.ts";
import { type SendTestMailDeps, sendTestMail, testSmtpConfiguration } from "./send-test-mail.ts";
import { setProviderSecret } from "./set-provider-secret.ts";
import { shownSigningKey } from "./shown-signing-key.ts";
import { fromSmtpRequest, toSecret } from "./smtp.rpc.ts";
import { updateHttpProvider } from "./update-http-provider.ts";
import { updateProvider } from "./update-provider.ts";

export type MessageProviderDeps = AddHttpProviderDeps & SendTestMailDeps;

const channel = "email";
const kinds = ["smtp", "http"] as const;

/** Methods on e-mail providers. Only roles of the instance carry their permissions, so the contract says who may. */
export const emailProviderMethods = (deps: MessageProviderDeps): Binding =>
  bind(AdminService, {
    async listEmailProviders(call, { query }) {
      const { rows, total } = await listProviders(deps, call, { channel, kinds, ...toPage(query, "query") });
      const result = rows.map((provider) => toMessage(deps, call, provider));
      return { details: toListDetailsV1(total, call.now), result };
    },
    async getEmailProvider(call) {
      return { config: toMessage(deps, call, await getActiveProvider(deps, call, { channel })) };
    },
    async getEmailProviderById(call, { id }) {
      return { config: toMessage(deps, call, await getProvider(deps, call, { channel, providerId: id })) };
    },
    async addEmailProviderSMTP(call, request) {
      const { configuration, secret } = fromSmtpRequest(request);
      const added = await addProvider(deps, call, {
        ...{ channel, configuration, secret },
        description: request.description,
      });
      return { id: added.providerId, details: toObjectDetails(added.details) };
    },
    async updateEmailProviderSMTP(call, request) {
      const { id: providerId, description } = request;
      const updated = await updateProvider(deps, call, {
        ...{ channel, kind: "smtp", providerId, description },
        configure: (current) => fromSmtpRequest(request, current),
      });
      return { details: toObjectDetails(updated.details) };
    },
    async updateEmailProviderSMTPPassword(call, { id: providerId, password }) {
      const secret = toSecret(password, "password");
      const { details } = await setProviderSecret(deps, call, { channel, kind: "smtp", providerId, secret });
      return { details: toObjectDetails(details) };
    },
    async addEmailProviderHTTP(call, { endpoint, description }) {
      const { provider, signingKey } = await addHttpProvider(deps, call, { channel, endpoint, description });
      const { providerId: id, details } = provider;
      return { id, details: toObjectDetails(details), signingKey: signingKey.reveal() };
    },
    async updateEmailProviderHTTP(call, { id: providerId, endpoint, description, expirationSigningKey }) {
      const rotatesKey = expirationSigningKey !== undefined;
      const input = { channel, providerId, endpoint, description, rotatesKey } as const;
      const { provider, signingKey } = await updateHttpProvider(deps, call, input);
      return {
        details: toObjectDetails(provider.details),
        ...(signingKey !== undefined && { signingKey: signingKey.reveal() }),
      };
    },
    async activateEmailProvider(call, { id }) {
      return { details: toObjectDetails(await activateProvider(deps, call, { channel, providerId: id })) };
    },
    async deactivateEmailProvider(call, { id }) {
      return { details: toObjectDetails(await deactivateProvider(deps, call, { channel, providerId: id })) };
    },
    async removeEmailProvider(call, { id }) {
      return { details: toObjectDetails(await removeProvider(deps, call, { channel, providerId: id })) };
    },
    async testEmailProviderSMTPById(call, { id, receiverAddress }) {
      await sendTestMail(deps, call, { providerId: id, recipient: receiverAddress });
      return {};
    },
    async testEmailProviderSMTP(call, request) {
      const { id: providerId, receiverAddress: recipient } = request;
      await testSmtpConfiguration(deps, call, { ...fromSmtpRequest(request), providerId, recipient });
      return {};
    },
  });

const states = {
  active: EmailProviderState.EMAIL_PROVIDER_ACTIVE,
  inactive: EmailProviderState.EMAIL_PROVIDER_INACTIVE,
} as const;

function toMessage(
  deps: MessageProviderDeps,
  call: Call,
  provider: MessageProvider,
): MessageInitShape<typeof EmailProviderSchema> {
  const { providerId: id, state, description, configuration, details } = provider;
  const common = { id, state: states[state], description, details: toObjectDetails(details) };
  switch (configuration.kind) {
    case "smtp":
      return { ...common, config: { case: "smtp", value: toSmtpMessage(configuration) } };
    case "http": {
      const { endpoint } = configuration;
      const signingKey = shownSigningKey(deps, call, provider);
      return { ...common, config: { case: "http", value: { endpoint, signingKey } } };
    }
    case "twilio":
      throw new Error("Twilio sends no mail");
    default:
      return configuration satisfies never;
  }
}

type SmtpMessage = MessageInitShape<typeof EmailProviderSMTPSchema>;

function toSmtpMessage({ kind: _, authentication, ...rest }: SmtpConfiguration): SmtpMessage {
  return { ...rest, auth: toAuthentication(authentication) };
}

function toAuthentication(authentication: SmtpConfiguration["authentication"]): NonNullable<SmtpMessage["auth"]> {
  switch (authentication.kind) {
    case "none":
      return { case: "none", value: {} };
    case "plain":
      return { case: "plain", value: {} };
    case "xoauth2": {
      const { tokenEndpoint, scopes, clientId } = authentication;
      const oauth2Type = { case: "clientCredentials", value: { clientId } } as const;
      return { case: "xoauth2", value: { tokenEndpoint, scopes: [...scopes], oauth2Type } };
    }
    default:
      return authentication satisfies never;
  }
}
