import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ChangeQuery, ChangeSchema } from "@doorward/api/service/change/v1/change_pb";
import type { Call } from "../../../../call/index.ts";
import type { Database } from "../../../../database/index.ts";
import { type ChangePage, type ListedChange, nameEventType } from "../../../../domain/event-log/index.ts";
import type { OriginOf } from "../../../../domain/instance/index.ts";
import { urlOfAvatar } from "../../../../domain/picture/index.ts";
import { originalsOf } from "../../../../event/index.ts";
import type { Texts } from "../../../../text/index.ts";
import { toPageV1, toTimestamp } from "../../../contract/index.ts";

export interface ChangeDeps {
  readonly database: Database;
  readonly texts: Texts;
  /** Addresses of pictures are absolute. */
  readonly originOf: OriginOf;
}

export function toChangePage(query: ChangeQuery | undefined): ChangePage {
  const { sequence, limit, asc } = query ?? { sequence: 0n, limit: 0, asc: false };
  const { page } = toPageV1({ offset: 0n, limit, asc });
  const fromSequence = sequence === 0n ? undefined : Math.min(Number(sequence), Number.MAX_SAFE_INTEGER);
  return { limit: page.limit, isAscending: asc, fromSequence };
}

/** Lists of changes have no payloads, so that of several names of a type the first is shown. */
const shownName = ({ alias }: Call, { type }: ListedChange): string =>
  alias === undefined ? type : (originalsOf(type)[0] ?? type);

export async function answer({ texts, originOf }: ChangeDeps, call: Call, changes: readonly ListedChange[]) {
  const origin = await originOf(call.instanceId);
  const toMessage = (change: ListedChange): MessageInitShape<typeof ChangeSchema> => ({
    changeDate: toTimestamp(change.createdAt),
    eventType: { ...nameEventType(texts, call.language, change.type), key: `EventTypes.${shownName(call, change)}` },
    sequence: BigInt(change.sequence),
    editorId: change.editorUserId,
    editorDisplayName: change.editorName,
    editorPreferredLoginName: change.editorLoginName,
    editorAvatarUrl: urlOfAvatar(origin, change.editorAvatarFile),
    resourceOwnerId: change.ownerId,
  });
  return { result: changes.map(toMessage) };
}
