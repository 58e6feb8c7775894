import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MessageCustomTextSchema } from "@doorward/api/service/text/v1/message_pb";
import type { Call } from "../../../../call/index.ts";
import {
  getDefaultMessageText,
  getOwnMessageText,
  type MessageTextDeps,
  type MessageTextKind,
  messageTextParts,
  resetMessageText,
  type ShownMessageText,
  setMessageText,
} from "../../../../domain/message-text/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";

/** Returns the organization that the methods of a service are about; undefined for the instance. */
type OrganizationOf = (call: Call) => string | undefined;

interface SetRequest extends Readonly<Partial<Record<(typeof messageTextParts)[number], string>>> {
  readonly language: string;
}

/**
 * Creates the four methods on the text of a kind of message, for a service with calls about an organization or about
 * the instance.
 */
export function messageTextHandlers(deps: MessageTextDeps, organizationOf: OrganizationOf) {
  const textKey = (call: Call, kind: MessageTextKind, { language }: { readonly language: string }) => ({
    kind,
    language,
    organizationId: organizationOf(call),
  });
  return {
    getDefault: (kind: MessageTextKind) => async (call: Call, request: { readonly language: string }) => ({
      customText: toMessage(await getDefaultMessageText(deps, call, textKey(call, kind, request))),
    }),
    getCustom: (kind: MessageTextKind) => async (call: Call, request: { readonly language: string }) => ({
      customText: toMessage(await getOwnMessageText(deps, call, textKey(call, kind, request))),
    }),
    set: (kind: MessageTextKind) => async (call: Call, request: SetRequest) => {
      const parts = Object.fromEntries(messageTextParts.map((part) => [part, request[part] ?? ""]));
      return { details: toObjectDetails(await setMessageText(deps, call, { ...textKey(call, kind, request), parts })) };
    },
    reset: (kind: MessageTextKind) => async (call: Call, request: { readonly language: string }) => ({
      details: toObjectDetails(await resetMessageText(deps, call, textKey(call, kind, request))),
    }),
  };
}

function toMessage({ text, isDefault, details }: ShownMessageText): MessageInitShape<typeof MessageCustomTextSchema> {
  return { ...text, isDefault, details: toObjectDetails(details) };
}
