import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { type ReadDocument, type SettingsDocument, toDocument } from "./document.ts";

/** The level whose settings a request is about, as methods of version 2 name it. */
export const contextOf = (organizationId: string | undefined) => ({
  resourceOwner:
    organizationId === undefined
      ? ({ case: "instance", value: true } as const)
      : ({ case: "orgId", value: organizationId } as const),
});

/** Reads a document as it holds in an organization, or in the instance. */
export async function readSettings(
  transport: Transport,
  document: SettingsDocument,
  organizationId: string | undefined,
): Promise<ReadDocument> {
  // Documents of the instance alone have no context.
  const hasContext = document.get.input.field["ctx"] !== undefined;
  const input = hasContext ? { ctx: contextOf(organizationId) } : {};
  return toDocument(document, await callUnaryMethod(transport, document.get, input as MessageInitShape<never>));
}
