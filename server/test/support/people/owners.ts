import assert from "node:assert/strict";
import type { RestAnswer, TestServer } from "../servers/server.ts";
import { addOrganization, appoint } from "./people.ts";

/** An organization with the token of a service account that owns it. */
export interface OwnedOrganization {
  readonly organizationId: string;
  readonly token: string;
  /** The service account. */
  readonly userId: string;
}

/** Makes an organization that a service account owns. */
export async function addOwnedOrganization(server: TestServer, name: string): Promise<OwnedOrganization> {
  const organizationId = await addOrganization(server, name);
  const { userId, token } = await addServiceAccount(server, organizationId, `owner-of-${organizationId}`);
  await appoint(server, { userId }, { organizationId }, ["ORG_OWNER"]);
  return { organizationId, token, userId };
}

/** Makes a service account with a personal access token. */
export async function addServiceAccount(
  server: TestServer,
  organizationId: string,
  username: string,
): Promise<{ readonly userId: string; readonly token: string }> {
  const call = async (method: string, body: object): Promise<RestAnswer["body"]> => {
    const answer = await server.connect(`service.user.v2.UserService/${method}`, body);
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: userId } = await call("CreateUser", { organizationId, username, machine: { name: username } });
  const { token } = await call("AddPersonalAccessToken", { userId, expirationDate: "2100-01-01T00:00:00Z" });
  return { userId, token };
}
