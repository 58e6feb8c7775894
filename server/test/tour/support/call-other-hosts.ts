import assert from "node:assert/strict";
import { RawConnection, rawRequest } from "../../support/http/raw-http.ts";
import type { Tour } from "./tour.ts";

const evil = "evil-header.example";
const body = JSON.stringify({ checks: {}, lifetime: "60s" });
const service = "/service.session.v2.SessionService";

/** Every method of sessions, by both transports. */
const methods = [
  ["POST", "/v2/sessions"] as const,
  ["GET", "/v2/sessions/1"] as const,
  ["PATCH", "/v2/sessions/1"] as const,
  ["DELETE", "/v2/sessions/1"] as const,
  ["POST", "/v2/sessions/search"] as const,
  ...["CreateSession", "GetSession", "SetSession", "DeleteSession", "ListSessions"].map(
    (name) => ["POST", `${service}/${name}`] as const,
  ),
];

/**
 * Calls the methods of sessions as if the server were another: by its `Host`, by two of them, and by the target of the
 * request.
 */
export async function callOtherHosts(tour: Tour): Promise<void> {
  const { server, calls } = tour;
  const ours = `localhost:${server.port}`;
  for (const [method, path] of methods) {
    const asked: Readonly<Record<string, { readonly hosts: readonly string[]; readonly target: string }>> = {
      "another host": { hosts: [evil], target: path },
      "two hosts": { hosts: [ours, evil], target: path },
      "another host in the target": { hosts: [ours], target: `http://${evil}${path}` },
      "a host with a path": { hosts: [`${ours}/${evil}`], target: path },
      "a host with a user": { hosts: [`${evil}@${ours}`], target: path },
    };
    for (const [what, { hosts, target }] of Object.entries(asked)) {
      const connection = await RawConnection.open(server.port);
      const headers = [
        ...hosts.map((host) => ["host", host] as const),
        ["authorization", `Bearer ${server.ownerToken}`] as const,
        ["content-type", "application/json"] as const,
      ];
      connection.send(rawRequest({ method, path: target, headers, ...(method !== "GET" && { body }) }));
      const answer = await connection.answer({ method });
      connection.close();
      assert.ok(answer, `${what}: no answer to ${method} ${path}`);
      assert.ok(
        answer.status >= 400 && answer.status < 500,
        `${what}: ${method} ${path} ${answer.status} ${answer.body}`,
      );
      calls.push({ method, address: path, ...answer, headers: new Headers([...answer.headers]) });
    }
  }
}
