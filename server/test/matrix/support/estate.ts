import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type DeviceServer, startDeviceServer } from "../../oauth/device/support.ts";
import { createSecondInstance, secondHost, systemUser } from "../../support/people/system-user.ts";
import type { RestAnswer, RestOptions, ServerOptions } from "../../support/servers/server.ts";

/** The instance of the server that is asked. */
export type At = "here" | "there";

/**
 * The state of a user: a `face` has a verified address and number and nothing to sign in with, a `member` a password as
 * well; a `newcomer` was made by API v1 and has yet to begin.
 */
export type UserState = "face" | "member" | "newcomer";

/** A user in an organization of their own. */
export interface Somebody {
  readonly userId: string;
  readonly organizationId: string;
  readonly email: string;
}

/** A server with two instances, and functions that make users, for whom secrets are made and to whom things happen. */
export interface Estate {
  readonly server: DeviceServer;
  readonly there: { readonly instanceId: string; readonly token: string };
  /** The password of every member. */
  readonly password: string;
  /** Makes another instance, without an administrator, and returns its id. */
  createInstance(): Promise<string>;
  /** Id of the first instance. */
  instanceId(): Promise<string>;
  /** Makes a user. */
  somebody(as: UserState): Promise<Somebody>;
  /** Calls a REST route or a Connect method (`user.v2.UserService/GetUserByID`), by default as the instance's owner. */
  ask(at: At, path: string, options?: RestOptions & { readonly method?: string }): Promise<RestAnswer>;
  /** Calls the first instance, and requires success. */
  must(path: string, body: object, options?: RestOptions & { readonly method?: string }): Promise<RestAnswer["body"]>;
  /** Sends a form to one of the instances. */
  form(
    at: At,
    path: string,
    parameters: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Pick<RestAnswer, "status" | "body">>;
  /** Authenticates a user by their password. */
  session(person: Somebody): Promise<{ readonly sessionId: string; readonly sessionToken: string }>;
}

const password = "correct horse battery staple";

/** Starts the server and makes its second instance. */
export async function makeEstate(
  t: TestContext,
  engine: "sqlite" | "postgres",
  options: Pick<ServerOptions, "passwordCost"> = {},
): Promise<Estate> {
  const { config, tokenFor } = systemUser(t);
  const server = await startDeviceServer(t, { engine, config, ...options });
  const { instanceId, pat: token } = await createSecondInstance(server, tokenFor(server));
  const ask: Estate["ask"] = (at, path, { method = "POST", ...options } = {}) => {
    const route = path.startsWith("/") ? path : `/service.${path}`;
    const given = { ...(method !== "GET" && method !== "DELETE" && { body: {} }), ...options };
    return at === "here"
      ? server.rest(method, route, given)
      : server.byHost(secondHost, method, route, { token, ...given });
  };
  const must: Estate["must"] = async (path, body, options) => {
    const answer = await ask("here", path, { ...(options?.method !== "DELETE" && { body }), ...options });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  let count = 0;
  const createInstance = async (): Promise<string> => {
    const machine = { userName: "robot", name: "robot" };
    const body = { instanceName: "I", firstOrgName: "O", customDomain: `i${++count}.example`, machine };
    const made = await server.rest("POST", "/system/v1/instances/_create", { token: tokenFor(server), body });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.instanceId;
  };
  const somebody: Estate["somebody"] = async (as) => {
    const username = `somebody-${++count}`;
    const email = `${username}@mail.example`;
    const { organizationId } = await must("org.v2.OrganizationService/AddOrganization", {
      name: `Home of ${username}`,
    });
    if (as === "newcomer") {
      const profile = { firstName: username, lastName: "Example" };
      const { userId } = await must(
        "/management/v1/users/human",
        { userName: username, profile, email: { email } },
        { headers: { "x-service-orgid": organizationId } },
      );
      return { userId, organizationId, email };
    }
    const { id: userId } = await must("user.v2.UserService/CreateUser", {
      organizationId,
      username,
      human: {
        profile: { givenName: username, familyName: "Example" },
        email: { email, isVerified: true },
        phone: { phone: "+41791234567", isVerified: true },
        ...(as === "member" && { password: { password, changeRequired: false } }),
      },
    });
    return { userId, organizationId, email };
  };
  return {
    server,
    there: { instanceId, token },
    password,
    somebody,
    createInstance,
    ask,
    must,
    instanceId: async () => (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail(),
    form: (at, path, parameters, headers = {}) =>
      at === "here"
        ? server.form(path, parameters, headers)
        : server.byHost(secondHost, "POST", path, {
            token: null,
            body: new URLSearchParams(parameters).toString(),
            headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          }),
    session: async ({ userId }) => {
      const checks = { user: { userId }, password: { password } };
      const { sessionId, sessionToken } = await must("/v2/sessions", { checks });
      return { sessionId, sessionToken };
    },
  };
}

/** Returns what can happen to a user and must end what they hold. */
export const endingsOf = ({ must }: Estate, { userId, organizationId }: Somebody) => {
  const user = { userId };
  return {
    "its user is deactivated": () => must("user.v2.UserService/DeactivateUser", user),
    "its user is locked": () => must("user.v2.UserService/LockUser", user),
    "its user is deleted": () => must("user.v2.UserService/DeleteUser", user),
    "its organization is deactivated": () =>
      must("org.v2.OrganizationService/DeactivateOrganization", { organizationId }),
    "its organization is deleted": () => must("org.v2.OrganizationService/DeleteOrganization", { organizationId }),
  } as const;
};

/** Returns the slug of a refusal, or the error of OAuth; "done" for success. */
export function wordsOf({ status, body }: Pick<RestAnswer, "status" | "body">): string {
  if (status < 300) return "done";
  return body?.details?.[0]?.id ?? body?.details?.[0]?.debug?.id ?? body?.error ?? `${status}`;
}
