import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Secret } from "../../base/secret.ts";
import { describeReason, type ShownSmtpFailure, SmtpError } from "../../base/smtp/index.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { Texts } from "../../text/index.ts";
import { type CheckProviderDeps, checkSmtp } from "./check-provider.ts";
import { getProvider } from "./get-provider.ts";
import type { MessageBudgets } from "./message-budgets.ts";
import { requireProvider, type SmtpConfiguration } from "./message-provider.ts";
import { openProviderSecret, secretPurpose, secretRequired } from "./provider-secret.ts";
import { type SendBySmtpDeps, sendBySmtp } from "./send-by-smtp.ts";
import { SendFailed } from "./send-failed.ts";
import { tokenPatience } from "./smtp-tokens.ts";
import { takeMessage } from "./take-message.ts";

export interface SendTestMailDeps extends SendBySmtpDeps, CheckProviderDeps {
  readonly database: Database;
  readonly newId: IdGenerator;
  readonly vault: Pick<Vault, "decrypt">;
  readonly texts: Pick<Texts, "translate">;
  readonly messageBudgets: MessageBudgets;
}

/**
 * Sends a test mail through a stored SMTP server, active or not, and waits until it is taken. Throws what went wrong.
 */
export async function sendTestMail(
  deps: SendTestMailDeps,
  call: Call,
  input: { readonly providerId: string; readonly recipient: string },
): Promise<void> {
  const { configuration, secret } = await findStored(deps, call, input.providerId);
  await send(deps, call, { configuration, secret, recipient: input.recipient, isStored: true });
}

export interface TestSmtp {
  readonly configuration: SmtpConfiguration;
  readonly secret: Secret | undefined;
  /** A stored provider whose secret is used when none is given, but only for the server that it was stored for. */
  readonly providerId: string;
  readonly recipient: string;
}

/** Sends a test mail with settings that are not stored, and waits until it is taken. Throws what went wrong. */
export async function testSmtpConfiguration(deps: SendTestMailDeps, call: Call, input: TestSmtp): Promise<void> {
  const { configuration, recipient, providerId } = input;
  checkSmtp(deps, configuration);
  const purpose = secretPurpose(configuration);
  let { secret } = input;
  if (purpose !== undefined && secret === undefined && providerId !== "") {
    const stored = await findStored(deps, call, providerId);
    if (secretPurpose(stored.configuration)?.of !== purpose.of) throw secretRequired(purpose);
    secret = stored.secret;
  }
  if (purpose !== undefined && secret === undefined) throw secretRequired(purpose);
  await send(deps, call, { configuration, secret, recipient, isStored: false });
}

async function findStored({ database, vault }: SendTestMailDeps, call: Call, providerId: string) {
  const kinds = ["smtp"] as const;
  const stored = requireProvider(await getProvider({ database }, call, { channel: "email", providerId, kinds }), kinds);
  return { configuration: stored.configuration, secret: openProviderSecret(vault, call.instanceId, stored) };
}

async function send(
  deps: SendTestMailDeps,
  call: Call,
  given: Pick<TestSmtp, "configuration" | "secret" | "recipient"> & { readonly isStored: boolean },
): Promise<void> {
  const { configuration, secret, recipient, isStored } = given;
  const { userId = "", organizationId = "" } = call.caller ?? {};
  const message = { channel: "email", purpose: "test", recipient, userId, organizationId } as const;
  await deps.database.touch(call, (tx) => takeMessage(tx, deps, message));
  const say = (key: string): string => deps.texts.translate(call.language, key);
  const started = performance.now();
  try {
    await sendBySmtp(
      deps,
      { configuration, secret, tokenKey: undefined },
      {
        messageId: deps.newId(),
        recipient,
        subject: say("message_provider.test.subject"),
        text: say("message_provider.test.text"),
        html: undefined,
        sentAt: call.now,
      },
      // A caller waits for the response, with a connection that does not stay open forever.
      { signal: AbortSignal.timeout(longestTest), isEven: true },
    );
  } catch (error) {
    // A clock must not tell closed from silent ports either; the mailer takes care of that for its own connections.
    const isEven = error instanceof SendFailed && error.failure === "token.unreachable";
    if (isEven) await sleep(Math.max(0, tokenPatience - (performance.now() - started)));
    throw toFault(error, configuration, isStored);
  }
}

const longestTest = seconds(25);

const fields = {
  address_refused: "host",
  unreachable: "host",
  timed_out: "host",
  tls_failed: "tls",
  starttls_unsupported: "tls",
  authentication_unencrypted: "tls",
  authentication_unsupported: "user",
  authentication_required: "user",
  authentication_failed: "password",
  sender_refused: "senderAddress",
  recipient_refused: "receiverAddress",
  message_refused: "host",
  protocol_error: "host",
  aborted: "host",
} as const satisfies Record<ShownSmtpFailure, string>;

function toFault(error: unknown, { host, authentication }: SmtpConfiguration, isStored: boolean): unknown {
  if (error instanceof SmtpError) {
    const { reason } = error;
    const failure = error.shownFailure === "aborted" ? "timed_out" : error.shownFailure;
    const isToken = failure === "authentication_failed" && authentication.kind === "xoauth2";
    const field = isToken ? "xoauth2" : fields[failure];
    const isGiven = !isStored || field === "receiverAddress";
    return refusal(
      `smtp.${failure}`,
      isGiven ? field : undefined,
      { host, reason: (failure !== "unreachable" && describeReason(reason)) || "-" },
      error,
    );
  }
  if (error instanceof SendFailed) {
    const [area, ...rest] = error.failure.split(".");
    const field = isStored ? undefined : "xoauth2.tokenEndpoint";
    return refusal(
      area === "token" ? "smtp.token_failed" : error.failure,
      field,
      { host, reason: rest.join(".") },
      error,
    );
  }
  return error;
}

// The settings of a stored provider are not fields of the request that names it, so the request itself is not invalid.
const refusal = (id: string, field: string | undefined, values: Record<string, string>, cause: Error): Fault =>
  field === undefined
    ? new Fault("failed_precondition", id, { values, cause })
    : new Fault("invalid_argument", id, { field, values, cause });
