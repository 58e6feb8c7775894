import type { MessageInitShape } from "@bufbuild/protobuf";
import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import type { ChangeQuery, ChangeSchema } from "@doorward/api/service/change/v1/change_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../call/index.ts";
import { type Binding, bind, toPage, toTimestamp } from "../../contract/index.ts";
import type { Database } from "../../database/index.ts";
import type { Texts } from "../../text/index.ts";
import type { OriginOf } from "../instance/index.ts";
import { urlOfAvatar } from "../user/index.ts";
import { nameEventType } from "./event-names.ts";
import {
  type ChangePage,
  type ListedChange,
  listApplicationChanges,
  listOrganizationChanges,
  listOwnChanges,
  listProjectChanges,
  listProjectGrantChanges,
  listUserChanges,
} from "./list-changes.ts";

interface ChangeDeps {
  readonly database: Database;
  readonly texts: Texts;
  /** Addresses of pictures are absolute. */
  readonly originOf: OriginOf;
}

/** The history of one record, for callers who may read the record. */
export const changeMethods = (deps: ChangeDeps): Binding[] => [
  bind(AuthService, {
    listMyUserChanges: async (call, { query }) =>
      answer(deps, call, await listOwnChanges(deps, call, toChangePage(query))),
  }),
  bind(ManagementService, {
    listUserChanges: async (call, { query, userId }) =>
      answer(deps, call, await listUserChanges(deps, call, { userId, ...toChangePage(query) })),
    listOrgChanges: async (call, { query }) =>
      answer(deps, call, await listOrganizationChanges(deps, call, toChangePage(query))),
    listProjectChanges: async (call, { query, projectId }) =>
      answer(deps, call, await listProjectChanges(deps, call, { projectId, ...toChangePage(query) })),
    listProjectGrantChanges: async (call, { query, projectId, grantId }) =>
      answer(deps, call, await listProjectGrantChanges(deps, call, { projectId, grantId, ...toChangePage(query) })),
    listAppChanges: async (call, { query, projectId, appId }) =>
      answer(
        deps,
        call,
        await listApplicationChanges(deps, call, { projectId, applicationId: appId, ...toChangePage(query) }),
      ),
  }),
];

function toChangePage(query: ChangeQuery | undefined): ChangePage {
  const { sequence, limit, asc } = query ?? { sequence: 0n, limit: 0, asc: false };
  const { page } = toPage({ offset: 0n, limit, asc }, "query");
  const fromSequence = sequence === 0n ? undefined : Math.min(Number(sequence), Number.MAX_SAFE_INTEGER);
  return { limit: page.limit, isAscending: asc, fromSequence };
}

async function answer({ texts, originOf }: ChangeDeps, call: Call, changes: readonly ListedChange[]) {
  const origin = await originOf(call.instanceId);
  const toMessage = (change: ListedChange): MessageInitShape<typeof ChangeSchema> => ({
    changeDate: toTimestamp(change.createdAt),
    eventType: nameEventType(texts, call.language, change.type),
    sequence: BigInt(change.sequence),
    editorId: change.editorUserId,
    editorDisplayName: change.editorName,
    editorPreferredLoginName: change.editorLoginName,
    editorAvatarUrl: urlOfAvatar(origin, change.editorAvatarFile),
    resourceOwnerId: change.ownerId,
  });
  return { result: changes.map(toMessage) };
}
