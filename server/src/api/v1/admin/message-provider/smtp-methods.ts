import type { Call } from "../../../../call/index.ts";
import {
  type AddHttpProviderDeps,
  addProvider,
  type SendTestMailDeps,
  sendTestMail,
  setProviderSecret,
  testSmtpConfiguration,
  updateProvider,
} from "../../../../domain/message-provider/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { fromSmtpRequest, type SmtpRequest, toSecret } from "./smtp.ts";

/** Dependencies of methods on email providers. */
export type MessageProviderDeps = AddHttpProviderDeps & SendTestMailDeps;

interface Named {
  readonly id: string;
}

interface Described {
  readonly description: string;
}

const channel = "email";

/** Creates the methods on SMTP servers, which the older operations have as well. */
export function methodsOfSmtp(deps: MessageProviderDeps) {
  return {
    async add(call: Call, request: SmtpRequest & Described) {
      const { configuration, secret } = fromSmtpRequest(request);
      const { description } = request;
      const { providerId: id, details } = await addProvider(deps, call, {
        channel,
        configuration,
        secret,
        description,
      });
      return { id, details: toObjectDetails(details) };
    },
    async update(call: Call, request: SmtpRequest & Described & Named) {
      const { id: providerId, description } = request;
      const { details } = await updateProvider(deps, call, {
        channel,
        kind: "smtp",
        providerId,
        description,
        configure: (current) => fromSmtpRequest(request, current),
      });
      return { details: toObjectDetails(details) };
    },
    async setPassword(call: Call, { id: providerId, password }: Named & { readonly password: string }) {
      const secret = toSecret(password, "password");
      const { details } = await setProviderSecret(deps, call, { channel, kind: "smtp", providerId, secret });
      return { details: toObjectDetails(details) };
    },
    async testById(call: Call, { id: providerId, receiverAddress }: Named & { readonly receiverAddress: string }) {
      await sendTestMail(deps, call, { providerId, recipient: receiverAddress });
      return {};
    },
    async test(call: Call, request: SmtpRequest & Named & { readonly receiverAddress: string }) {
      const { id: providerId, receiverAddress: recipient } = request;
      await testSmtpConfiguration(deps, call, { ...fromSmtpRequest(request), providerId, recipient });
      return {};
    },
  };
}
