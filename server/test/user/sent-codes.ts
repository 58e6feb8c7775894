import assert from "node:assert/strict";
import { inboxOf, slugOf } from "../factor/support.ts";
import { goodPassword } from "../support/people/people.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const newPassword = { password: "An0ther-Passw0rd!" };

/** A user whose address and number the holder of a token named. */
export interface Made {
  readonly userId: string;
  readonly organizationId: string;
  readonly loginName: string;
  readonly password: string;
  readonly email: string;
  readonly phone: string;
}

interface Wanted {
  readonly username?: string;
  readonly hasPhone?: boolean;
  readonly hasPassword?: boolean;
  readonly isVerified?: boolean;
}

async function ask(server: TestServer, path: string, body: object, token?: string): Promise<RestAnswer["body"]> {
  const answer = await server.rest("POST", path, { body, ...(token !== undefined && { token }) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Posts, and returns the slug of the refusal, or `done`. */
export const slug = async (
  server: TestServer,
  path: string,
  body: object,
  token?: string,
): Promise<string | undefined> =>
  slugOf(await server.rest("POST", path, { body, ...(token !== undefined && { token }) }));

/** Makes users of an organization, whose address and number the holder of a token names. */
export function createMake(server: TestServer) {
  let count = 0;
  return async (
    organizationId: string,
    token: string,
    { username, hasPassword = true, hasPhone = true, isVerified = false }: Wanted = {},
  ): Promise<Made> => {
    const name = username ?? `n${++count}`;
    const email = name.includes("@") ? name : `${name}@mail.example`;
    const phone = `+4179${String(1_000_000 + ++count)}`;
    const human = {
      profile: { givenName: "Vera", familyName: "Named" },
      email: isVerified ? { email, isVerified } : { email, sendCode: {} },
      ...(hasPhone && { phone: { phone, sendCode: {} } }),
      ...(hasPassword && { password: { password: goodPassword } }),
    };
    const made = await ask(server, "/v2/users/new", { organizationId, username: name, human }, token);
    return { userId: String(made.id), organizationId, loginName: name, password: goodPassword, email, phone };
  };
}

const linked = (mail: unknown): string => /[?&;]code=(\w+)/.exec(JSON.stringify(mail))?.[1] ?? "";

/** Returns the code of the last message to an address or a number. */
export async function sentTo(server: TestServer, recipient: string): Promise<string> {
  const [mail] = await inboxOf(server, recipient);
  return linked(mail) || (/\b([0-9A-Z]{6,8})\b/.exec(mail.text)?.[1] ?? "");
}

/** A kind of code by message: how an administrator sends one, and how it is used. */
export interface Kind {
  readonly hasPassword: boolean;
  readonly isVerified?: boolean;
  /** Whether it takes more than an administrator of users to send one. */
  readonly isForOwners?: boolean;
  readonly send: (server: TestServer, user: Made, token: string) => Promise<string | undefined>;
  readonly use: (server: TestServer, user: Made) => Promise<string | undefined>;
}

export const kinds = {
  "new password": {
    hasPassword: true,
    isVerified: true,
    send: (server, { userId }, token) => slug(server, `/v2/users/${userId}/password_reset`, { sendLink: {} }, token),
    use: async (server, { userId, email }) => {
      const verificationCode = await sentTo(server, email);
      return slug(server, `/v2/users/${userId}/password`, { newPassword, verificationCode });
    },
  },
  invitation: {
    hasPassword: false,
    send: (server, { userId }, token) => slug(server, `/v2/users/${userId}/invite_code`, { sendCode: {} }, token),
    use: async (server, { userId, email }) => {
      const verificationCode = await sentTo(server, email);
      return slug(server, `/v2/users/${userId}/invite_code/verify`, { verificationCode });
    },
  },
  "code of an address": {
    hasPassword: true,
    send: (server, { userId }, token) => slug(server, `/v2/users/${userId}/email/resend`, { sendCode: {} }, token),
    use: async (server, { userId, email }) => {
      const verificationCode = await sentTo(server, email);
      return slug(server, `/v2/users/${userId}/email/verify`, { verificationCode });
    },
  },
  "code of a number": {
    hasPassword: true,
    send: (server, { userId }, token) => slug(server, `/v2/users/${userId}/phone/resend`, { sendCode: {} }, token),
    use: async (server, { userId, phone }) => {
      const verificationCode = await sentTo(server, phone);
      return slug(server, `/v2/users/${userId}/phone/verify`, { verificationCode });
    },
  },
  "link for a passkey": {
    hasPassword: true,
    isVerified: true,
    isForOwners: true,
    send: (server, { userId }, token) =>
      slug(server, `/v2/users/${userId}/passkeys/registration_link`, { sendLink: {} }, token),
    use: async (server, { userId, email }) => {
      const [mail] = await inboxOf(server, email);
      const id = /[?&;]id=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? "";
      const body = { code: { id, code: linked(mail) }, domain: "localhost" };
      return slug(server, `/v2/users/${userId}/passkeys`, body);
    },
  },
} satisfies Record<string, Kind>;
