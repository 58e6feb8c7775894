import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AddEmailProviderSMTPRequestSchema } from "@doorward/api/service/admin/v1/email_provider_pb";
import type { EmailProvider } from "@doorward/api/service/settings/v1/email_pb";

/** A mail server as its form has it. */
export interface MailServerValues {
  kind: string;
  description: string;
  endpoint: string;
  host: string;
  tls: boolean;
  senderAddress: string;
  senderName: string;
  replyToAddress: string;
  method: string;
  user: string;
  password: string;
  tokenEndpoint: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
}

/** Returns the values of a form from a server, or those of a new one. Secrets are never shown. */
export function mailServerValues(server: EmailProvider | undefined): MailServerValues {
  const { config, description = "" } = server ?? {};
  const smtp = config?.case === "smtp" ? config.value : undefined;
  return {
    kind: config?.case ?? "smtp",
    description,
    endpoint: config?.case === "http" ? config.value.endpoint : "",
    host: smtp?.host ?? "",
    tls: smtp?.tls ?? true,
    senderAddress: smtp?.senderAddress ?? "",
    senderName: smtp?.senderName ?? "",
    replyToAddress: smtp?.replyToAddress ?? "",
    method: smtp?.auth.case ?? "plain",
    user: smtp?.user ?? "",
    password: "",
    tokenEndpoint: "",
    clientId: "",
    clientSecret: "",
    scopes: "",
  };
}

export const toHttp = ({ endpoint, description }: MailServerValues) => ({ endpoint: endpoint.trim(), description });

/** Returns the fields of an SMTP server. An empty password leaves the one that is stored. */
export const toSmtp = (values: MailServerValues) => ({
  description: values.description,
  host: values.host.trim(),
  tls: values.tls,
  senderAddress: values.senderAddress.trim(),
  senderName: values.senderName.trim(),
  replyToAddress: values.replyToAddress.trim(),
  user: values.method === "none" ? "" : values.user.trim(),
  password: values.method === "plain" ? values.password : "",
});

type NewSmtp = MessageInitShape<typeof AddEmailProviderSMTPRequestSchema>;

/** Returns the request that adds an SMTP server. */
export const toNewSmtp = (values: MailServerValues): NewSmtp => ({ ...toSmtp(values), auth: authOf(values) });

function authOf({
  method,
  password,
  tokenEndpoint,
  clientId,
  clientSecret,
  scopes,
}: MailServerValues): NewSmtp["auth"] {
  if (method === "none") return { case: "none", value: {} };
  if (method === "plain") return { case: "plain", value: { password } };
  return {
    case: "xoauth2",
    value: {
      tokenEndpoint: tokenEndpoint.trim(),
      scopes: scopes.split(/\s+/).filter((scope) => scope !== ""),
      oauth2Type: { case: "clientCredentials", value: { clientId: clientId.trim(), clientSecret } },
    },
  };
}
