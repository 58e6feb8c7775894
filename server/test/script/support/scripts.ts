import assert from "node:assert/strict";
import type { RestOptions, TestServer } from "../../support/servers/server.ts";

interface ScriptOptions {
  readonly allowedToFail?: boolean;
  readonly timeout?: string;
  /** The organization whose script it is; by default that of the caller. */
  readonly organizationId?: string;
  readonly token?: string;
}

export type Point = readonly [flow: string, trigger: string];

export const preUserinfo: Point = ["2", "4"];
export const preAccessToken: Point = ["2", "5"];

/** Methods on actions and flows of a server. */
export interface Scripts {
  call(
    verb: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: object,
    options?: Pick<ScriptOptions, "organizationId" | "token">,
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  ): Promise<any>;
  /** Creates an action, and returns its id. */
  create(name: string, script: string, options?: ScriptOptions): Promise<string>;
  /** Sets which actions run at a trigger. */
  set(point: Point, ids: readonly string[], options?: Pick<ScriptOptions, "organizationId" | "token">): Promise<void>;
  /** Creates an action and lets it run at a trigger, alone; returns its id. */
  run(point: Point, name: string, script: string, options?: ScriptOptions): Promise<string>;
}

/** Returns the methods, which fail the test unless they succeed. */
export function scriptsOf(server: Pick<TestServer, "rest">): Scripts {
  const call: Scripts["call"] = async (verb, path, body, options = {}) => {
    const answer = await server.rest(verb, `/management/v1${path}`, toRest(body, options));
    assert.equal(answer.status, 200, `${verb} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const create: Scripts["create"] = async (name, script, { allowedToFail = false, timeout = "5s", ...options } = {}) =>
    (await call("POST", "/actions", { name, script, timeout, allowedToFail }, options)).id;
  const set: Scripts["set"] = async ([flow, trigger], actionIds, options) => {
    await call("POST", `/flows/${flow}/trigger/${trigger}`, { actionIds }, options);
  };
  const run: Scripts["run"] = async (point, name, script, options) => {
    const id = await create(name, script, options);
    await set(point, [id], options);
    return id;
  };
  return { call, create, set, run };
}

export const toRest = (
  body: object | undefined,
  { organizationId, token }: Pick<ScriptOptions, "organizationId" | "token"> = {},
): RestOptions => ({
  ...(body && { body }),
  ...(token !== undefined && { token }),
  ...(organizationId !== undefined && { headers: { "x-service-orgid": organizationId } }),
});

export const external = {
  postAuthentication: ["1", "1"],
  preCreation: ["1", "2"],
  postCreation: ["1", "3"],
} as const satisfies Record<string, Point>;

export const internal = {
  postAuthentication: ["3", "1"],
  preCreation: ["3", "2"],
  postCreation: ["3", "3"],
} as const satisfies Record<string, Point>;
