/** The owner of metadata. */
export interface MetadataOwner {
  readonly type: "organization" | "user" | "project";
  readonly id: string;
}

/** A pair as a caller specifies it. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** A pair as it is stored. */
export interface Metadata extends MetadataEntry {
  readonly createdAt: number;
  readonly changedAt: number;
}
