import type { MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import {
  type EmailProviderSchema,
  type EmailProviderSMTPSchema,
  EmailProviderState,
} from "@doorward/api/service/settings/v1/email_pb";
import type { Call } from "../../../../call/index.ts";
import {
  getActiveProvider,
  getProvider,
  type MessageProvider,
  type SmtpConfiguration,
  shownSigningKey,
} from "../../../../domain/message-provider/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";
import { methodsOfEndpoints, methodsOfProviders } from "./provider-methods.ts";
import { type MessageProviderDeps, methodsOfSmtp } from "./smtp-methods.ts";

const channel = "email";
const kinds = ["smtp", "http"] as const;

/**
 * Methods on email providers. Only roles of the instance carry their permissions, so the contract's declaration
 * suffices.
 */
export function emailProviderMethods(deps: MessageProviderDeps): Binding {
  const { list, activate, deactivate, remove } = methodsOfProviders(deps, { channel, kinds });
  const smtp = methodsOfSmtp(deps);
  const endpoint = methodsOfEndpoints(deps, channel);
  return bind(AdminService, {
    listEmailProviders: (call, { query }) => list(call, query, (provider) => toMessage(deps, call, provider)),
    async getEmailProvider(call) {
      return { config: toMessage(deps, call, await getActiveProvider(deps, call, { channel })) };
    },
    async getEmailProviderById(call, { id }) {
      return { config: toMessage(deps, call, await getProvider(deps, call, { channel, providerId: id })) };
    },
    addEmailProviderSMTP: smtp.add,
    updateEmailProviderSMTP: smtp.update,
    updateEmailProviderSMTPPassword: smtp.setPassword,
    addEmailProviderHTTP: endpoint.add,
    updateEmailProviderHTTP: endpoint.update,
    activateEmailProvider: activate,
    deactivateEmailProvider: deactivate,
    removeEmailProvider: remove,
    testEmailProviderSMTPById: smtp.testById,
    testEmailProviderSMTP: smtp.test,
  });
}

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
