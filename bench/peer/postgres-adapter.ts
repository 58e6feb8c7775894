import pg from "pg";
import { type AdapterFactory, createTable, epochSeconds, type Row, toPayload } from "./adapter.ts";

/** An adapter on PostgreSQL as one would write it: a pool of ten connections, prepared statements, durable commits. */
export async function createPostgresAdapter(url: string): Promise<AdapterFactory> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(createTable);
  const columns = 'payload, expires_at::float as "expiresAt", consumed_at::float as "consumedAt"';
  const run = (name: string, text: string) => async (values: unknown[]) =>
    toPayload((await pool.query<Row>({ name, text, values })).rows[0]);
  const upsert = run(
    "upsert",
    `insert into stored (model, id, payload, grant_id, user_code, uid, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
       user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
  );
  const find = run("find", `select ${columns} from stored where model = $1 and id = $2`);
  const findByUserCode = run("code", `select ${columns} from stored where user_code = $1 and model = $2`);
  const findByUid = run("uid", `select ${columns} from stored where uid = $1 and model = $2`);
  const consume = run("consume", "update stored set consumed_at = $1 where model = $2 and id = $3");
  const destroy = run("destroy", "delete from stored where model = $1 and id = $2");
  const revoke = run("revoke", "delete from stored where grant_id = $1");
  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      const expiresAt = expiresIn === undefined ? null : epochSeconds() + expiresIn;
      await upsert([model, id, JSON.stringify(payload), payload.grantId, payload.userCode, payload.uid, expiresAt]);
    },
    find: (id) => find([model, id]),
    findByUserCode: (userCode) => findByUserCode([userCode, model]),
    findByUid: (uid) => findByUid([uid, model]),
    consume: async (id) => void (await consume([epochSeconds(), model, id])),
    destroy: async (id) => void (await destroy([model, id])),
    revokeByGrantId: async (grantId) => void (await revoke([grantId])),
  });
}
