import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MetadataSchema, MetadataSearchFilter } from "@doorward/api/service/metadata/v2/metadata_pb";
import type { Instant } from "../base/clock.ts";
import type { TextMethod } from "../database/index.ts";
import { refuseFilter, toTextMethod } from "./filter.ts";
import { toTimestamp } from "./timestamp.ts";

/** Filters of a list of metadata. */
export function toMetadataFilters(
  filters: readonly MetadataSearchFilter[],
): { readonly key: string; readonly method: TextMethod }[] {
  return filters.map(({ filter }, index) => {
    if (filter.case === undefined) return refuseFilter(`filters[${index}]`);
    return { key: filter.value.key, method: toTextMethod(filter.value.method) };
  });
}

/** A pair as a message. */
export function toMetadataMessage(metadata: {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}): MessageInitShape<typeof MetadataSchema> {
  const { key, value, createdAt, changedAt } = metadata;
  return { key, value, creationDate: toTimestamp(createdAt), changeDate: toTimestamp(changedAt) };
}
