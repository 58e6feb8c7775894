import type { SMTPNoAuth, SMTPPlainAuth, SMTPXOAuth2Auth } from "@doorward/api/service/admin/v1/smtp_auth_pb";
import { Fault } from "../../../../base/fault.ts";
import { Secret } from "../../../../base/secret.ts";
import type { SmtpAuthentication, SmtpConfiguration } from "../../../../domain/message-provider/index.ts";

/** The fields of requests about an SMTP server; those of the older operations lack the authentication method. */
export interface SmtpRequest {
  readonly senderAddress: string;
  readonly senderName: string;
  readonly tls: boolean;
  readonly host: string;
  readonly user: string;
  readonly password: string;
  readonly replyToAddress?: string;
  readonly auth?:
    | { readonly case: "none"; readonly value: SMTPNoAuth }
    | { readonly case: "plain"; readonly value: SMTPPlainAuth }
    | { readonly case: "xoauth2"; readonly value: SMTPXOAuth2Auth }
    | { readonly case: undefined; readonly value?: undefined };
}

/** Reads the settings of a request and its secret; fields that the request lacks keep their stored values. */
export function fromSmtpRequest(
  request: SmtpRequest,
  current?: SmtpConfiguration,
): { readonly configuration: SmtpConfiguration; readonly secret: Secret | undefined } {
  const { senderAddress, senderName, tls, host, user, replyToAddress = "" } = request;
  const { authentication, secret } = fromAuthentication(request, current?.authentication);
  return {
    configuration: { kind: "smtp", senderAddress, senderName, replyToAddress, host, tls, user, authentication },
    secret: secret === "" ? undefined : new Secret(secret),
  };
}

function fromAuthentication(
  { auth, user, password }: SmtpRequest,
  current: SmtpAuthentication | undefined,
): { readonly authentication: SmtpAuthentication; readonly secret: string } {
  switch (auth?.case) {
    case "none":
      return { authentication: { kind: "none" }, secret: "" };
    case "plain":
      return { authentication: { kind: "plain" }, secret: auth.value.password || password };
    case "xoauth2": {
      const { tokenEndpoint, scopes, oauth2Type } = auth.value;
      const { clientId = "", clientSecret = "" } = oauth2Type.value ?? {};
      return { authentication: { kind: "xoauth2", tokenEndpoint, scopes, clientId }, secret: clientSecret };
    }
    case undefined:
      // A username implies a password, its absence implies none. With a username but no password, the stored
      // authentication stays.
      if (user === "") return { authentication: { kind: "none" }, secret: "" };
      if (current === undefined || (password !== "" && current.kind === "none")) {
        return { authentication: { kind: "plain" }, secret: password };
      }
      return { authentication: current, secret: current.kind === "plain" ? password : "" };
    default:
      return auth satisfies never;
  }
}

/** Reads a required secret. */
export function toSecret(text: string, field: string): Secret {
  if (text === "") throw new Fault("invalid_argument", "message_provider.secret_required", { field });
  return new Secret(text);
}
