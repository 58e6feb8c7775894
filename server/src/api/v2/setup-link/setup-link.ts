import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type SetupLinkSchema,
  SetupPart as WirePart,
  SetupLinkState as WireState,
} from "@doorward/api/service/setup_link/v2/setup_link_pb";
import { SetupLinkService } from "@doorward/api/service/setup_link/v2/setup_link_service_pb";
import type { Call } from "../../../call/index.ts";
import {
  type CreateSetupLinkDeps,
  createSetupLink,
  listSetupLinks,
  revokeSetupLink,
  type SetupLink,
  type SetupPart,
} from "../../../domain/setup-link/index.ts";
import { type Binding, bind, toPage, toPagination, toTimestamp } from "../../contract/index.ts";

/** SetupLinkService. */
export const setupLinkMethods = (
  deps: CreateSetupLinkDeps & { readonly originOf: (instanceId: string) => Promise<string> },
): Binding =>
  bind(SetupLinkService, {
    createSetupLink: async (call, { organizationId, parts, lifetimeDays: lifetime }) => {
      const wanted = { organizationId, parts: parts.flatMap((part) => partsOfWire[part] ?? []), lifetime };
      const { link, code } = await createSetupLink(deps, call, wanted);
      const origin = await deps.originOf(call.instanceId);
      // In the fragment, which browsers send to no server.
      return { link: toMessage(call, link), url: `${origin}/ui/setup-link#${code.reveal()}` };
    },
    listSetupLinks: async (call, { organizationId, pagination }) => {
      const { page, isDescending } = toPage(pagination);
      const { rows, total } = await listSetupLinks(deps, call, { organizationId, page, isDescending });
      return { links: rows.map((link) => toMessage(call, link)), pagination: toPagination(total, page) };
    },
    revokeSetupLink: async (call, { id: linkId }) => ({
      link: toMessage(call, await revokeSetupLink(deps, call, { linkId })),
    }),
  });

const toMessage = (call: Call, link: SetupLink): MessageInitShape<typeof SetupLinkSchema> => ({
  id: link.linkId,
  organizationId: link.organizationId,
  creatorId: link.creatorId,
  creationDate: toTimestamp(link.createdAt),
  changeDate: toTimestamp(link.changedAt),
  expirationDate: toTimestamp(link.expiresAt),
  ...(link.openedAt !== undefined && { openingDate: toTimestamp(link.openedAt) }),
  state: stateOf(call, link),
  parts: link.parts.map((part) => wireParts[part]),
  identityProviderId: link.identityProviderId ?? "",
});

function stateOf({ now }: Call, { finishedAt, revokedAt, expiresAt, openedAt }: SetupLink): WireState {
  if (finishedAt !== undefined) return WireState.FINISHED;
  if (revokedAt !== undefined) return WireState.REVOKED;
  if (expiresAt <= now) return WireState.EXPIRED;
  return openedAt === undefined ? WireState.UNUSED : WireState.OPENED;
}

const wireParts: Readonly<Record<SetupPart, WirePart>> = {
  domain: WirePart.DOMAIN,
  identity_provider: WirePart.IDENTITY_PROVIDER,
};

const partsOfWire: Readonly<Record<number, SetupPart>> = {
  [WirePart.DOMAIN]: "domain",
  [WirePart.IDENTITY_PROVIDER]: "identity_provider",
};
