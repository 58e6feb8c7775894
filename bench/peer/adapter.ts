/** What oidc-provider stores, as it hands it over: the models are its own affair. */
export interface Payload {
  readonly grantId?: string;
  readonly userCode?: string;
  readonly uid?: string;
  consumed?: number;
}

/** Storage of one model of oidc-provider, as its documentation demands. */
interface Adapter {
  upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUserCode(userCode: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Makes the storage of a model. */
export type AdapterFactory = (model: string) => Adapter;

/** Seconds since 1970, as oidc-provider counts. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** One table for all models: as good as any for lookups by key, and what the adapters that people write look like. */
export const createTable = `
  create table if not exists stored (
    model text not null, id text not null, payload text not null, grant_id text, user_code text, uid text,
    expires_at bigint, consumed_at bigint, primary key (model, id));
  create index if not exists stored_grant on stored (grant_id);
  create index if not exists stored_user_code on stored (user_code);
  create index if not exists stored_uid on stored (uid);`;

/** A row as both durable adapters read it. */
export interface Row {
  readonly payload: string;
  readonly expiresAt: number | null;
  readonly consumedAt: number | null;
}

export function toPayload(row: Row | undefined): Payload | undefined {
  if (row === undefined) return undefined;
  if (row.expiresAt !== null && row.expiresAt <= epochSeconds()) return undefined;
  const payload = JSON.parse(row.payload) as Payload;
  if (row.consumedAt !== null) payload.consumed = row.consumedAt;
  return payload;
}
