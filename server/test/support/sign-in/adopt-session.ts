import { sql } from "../../../src/database/index.ts";
import { browserCookie, newBrowser } from "../../../src/web/index.ts";
import { testCall } from "../operations/call.ts";
import type { TestServer } from "../servers/server.ts";

/** Makes a session of the session API one of a browser, as if the hosted login had made it; returns its `Cookie`. */
export async function adoptSession({ app, origin }: TestServer, sessionId: string): Promise<{ cookie: string }> {
  const { domain } = app;
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const browser = newBrowser(domain.random);
  await domain.database.touch(testCall({ instanceId, now: domain.clock() }), (tx) =>
    tx.run(sql`update sessions set browser_hash = ${browser.hash}
      where instance_id = ${instanceId} and session_id = ${sessionId}`),
  );
  return { cookie: browserCookie(browser, origin).split(";")[0] ?? "" };
}
