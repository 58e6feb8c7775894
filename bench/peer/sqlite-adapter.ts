import { DatabaseSync } from "node:sqlite";
import { type AdapterFactory, createTable, epochSeconds, type Row, toPayload } from "./adapter.ts";

/**
 * An adapter on SQLite as one would write it: prepared statements, write-ahead log, and `synchronous = full`, so that
 * what was answered survives a loss of power, as it does with the product.
 */
export function createSqliteAdapter(file: string): AdapterFactory {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec(createTable);
  const columns = "payload, expires_at as expiresAt, consumed_at as consumedAt";
  const upsert = database.prepare(
    `insert into stored (model, id, payload, grant_id, user_code, uid, expires_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
       user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
  );
  const find = database.prepare(`select ${columns} from stored where model = ? and id = ?`);
  const findByUserCode = database.prepare(`select ${columns} from stored where user_code = ? and model = ?`);
  const findByUid = database.prepare(`select ${columns} from stored where uid = ? and model = ?`);
  const consume = database.prepare("update stored set consumed_at = ? where model = ? and id = ?");
  const destroy = database.prepare("delete from stored where model = ? and id = ?");
  const revoke = database.prepare("delete from stored where grant_id = ?");
  const read = (row: unknown) => toPayload(row as Row | undefined);
  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      const expiresAt = expiresIn === undefined ? null : epochSeconds() + expiresIn;
      const { grantId = null, userCode = null, uid = null } = payload;
      upsert.run(model, id, JSON.stringify(payload), grantId, userCode, uid, expiresAt);
    },
    find: async (id) => read(find.get(model, id)),
    findByUserCode: async (userCode) => read(findByUserCode.get(userCode, model)),
    findByUid: async (uid) => read(findByUid.get(uid, model)),
    consume: async (id) => void consume.run(epochSeconds(), model, id),
    destroy: async (id) => void destroy.run(model, id),
    revokeByGrantId: async (grantId) => void revoke.run(grantId),
  });
}
