/** What metadata can be attached to. */
export interface MetadataOwner {
  readonly type: "organization" | "user" | "project";
  readonly id: string;
}

/** A pair as it is given. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** A pair as it is stored. */
export interface Metadata extends MetadataEntry {
  readonly createdAt: number;
  readonly changedAt: number;
}
