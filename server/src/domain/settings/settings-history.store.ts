import { type Reader, sql } from "../../database/index.ts";

/** What an event recorded about settings. */
export interface RecordedSettings {
  readonly type: string;
  /** JSON. */
  readonly payload: string;
  readonly editorUserId: string | null;
}

/** Returns the event of an instance or organization that has a sequence. */
export function findRecordedSettings(
  reader: Reader,
  instanceId: string,
  event: {
    readonly aggregateType: "instance" | "organization";
    readonly aggregateId: string;
    readonly sequence: number;
  },
): Promise<RecordedSettings | undefined> {
  return reader.maybe<RecordedSettings>(sql`select type, payload, editor_user_id as "editorUserId"
    from events where instance_id = ${instanceId} and aggregate_type = ${event.aggregateType}
      and aggregate_id = ${event.aggregateId} and sequence = ${event.sequence}`);
}
