import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DetailsSchema, ListDetailsSchema } from "@doorward/api/service/object/v2/object_pb";
import type { ListDetailsSchema as ListDetailsV1Schema, ObjectDetailsSchema } from "@doorward/api/service/v1/object_pb";
import type { Instant } from "../../base/clock.ts";
import type { Details } from "../../database/index.ts";
import { toTimestamp } from "./timestamp.ts";

/** Returns the details of a record in v2: `sequence`, `creationDate`, `changeDate`, `resourceOwner`. */
export function toDetails(details: Details): MessageInitShape<typeof DetailsSchema> {
  return fields(details);
}

/** Returns the details of a record in v1: the same four fields. */
export function toObjectDetails(details: Details): MessageInitShape<typeof ObjectDetailsSchema> {
  return fields(details);
}

/** Returns the v1 details of a removal: its time, and the owner. */
export function toRemovalDetails(removedAt: Instant, ownerId: string): MessageInitShape<typeof ObjectDetailsSchema> {
  return { changeDate: toTimestamp(removedAt), resourceOwner: ownerId };
}

/** Details of a list in v1. */
export function toListDetailsV1(total: number, now: Instant): MessageInitShape<typeof ListDetailsV1Schema> {
  return { totalResult: BigInt(total), processedSequence: 0n, viewTimestamp: toTimestamp(now) };
}

/**
 * Details of a list in v2. Lists are read from the rows themselves, so there is no sequence that they could lag behind.
 */
export function toListDetails(total: number, now: Instant): MessageInitShape<typeof ListDetailsSchema> {
  return { totalResult: BigInt(total), processedSequence: 0n, timestamp: toTimestamp(now) };
}

const fields = ({ sequence, createdAt, changedAt, ownerId }: Details) => ({
  sequence: BigInt(sequence),
  creationDate: toTimestamp(createdAt),
  changeDate: toTimestamp(changedAt),
  resourceOwner: ownerId,
});
