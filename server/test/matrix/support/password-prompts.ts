import { ownerOf } from "../../account/support/account.ts";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { type Estate, type Somebody, wordsOf } from "./estate.ts";

const users = "user.v2.UserService";
const another = "never set at all";

/** A user is either at their account page or replacing a password, never both at once. */
export const kindsOfGuessed = ["that may stay", "that has to be replaced"] as const;
export type KindOfGuessed = (typeof kindsOfGuessed)[number];

/** A user who is signed in wherever a password is asked for again. */
export interface Guessed extends Somebody {
  readonly loginName: string;
  readonly session: { readonly sessionId: string; readonly sessionToken: string };
  /** A session in which only the user was identified. */
  readonly open: string;
  readonly client: Awaited<ReturnType<typeof addClient>>;
  /** A page that asks for the current password, and the browser that shows it. */
  readonly at: { readonly browser: TestBrowser; readonly page: ShownPage };
}

/** Makes a user whose password attackers guess. */
export async function makeGuessed(estate: Estate, kind: KindOfGuessed = "that may stay"): Promise<Guessed> {
  const person = await estate.somebody("member");
  const { server, must, password } = estate;
  const { userId } = person;
  if (kind === "that has to be replaced") {
    await must(`${users}/SetPassword`, { userId, newPassword: { password, changeRequired: true } });
  }
  const { user } = await must(`${users}/GetUserByID`, { userId });
  const loginName = user.preferredLoginName as string;
  const session = await estate.session(person);
  const open = (await must("/v2/sessions", { checks: { user: { userId } } })).sessionId as string;
  const client = await addClient(server);
  const who = { loginName, password };
  if (kind === "that has to be replaced") {
    const visitor = await visit(server, client);
    const page = await enter(visitor, who);
    return { ...person, loginName, session, open, client, at: { browser: visitor.browser, page } };
  }
  const owner = await ownerOf(server, who);
  const page = await owner.open("/ui/account/password");
  return { ...person, loginName, session, open, client, at: { browser: owner.browser, page } };
}

/** A prompt at which a password is checked: how it is sent, and the answer, "done" when the password was right. */
export interface PasswordPrompt {
  readonly source: string;
  /** The kind of user whose password is asked for there; every kind when absent. */
  readonly kind?: KindOfGuessed;
  readonly guess: (estate: Estate, who: Guessed, password: string) => Promise<string>;
}

const inSession = "domain/session/check-factors.ts";
const byUserService = "api/v2/user/user-message.ts";

/** Every prompt at which a password is checked. */
export const passwordPrompts: Readonly<Record<string, PasswordPrompt>> = {
  "a new session": {
    source: inSession,
    guess: async ({ ask }, { userId }, password) =>
      wordsOf(await ask("here", "/v2/sessions", { body: { checks: { user: { userId }, password: { password } } } })),
  },
  "a session by login name": {
    source: inSession,
    guess: async ({ ask }, { loginName }, password) =>
      wordsOf(await ask("here", "/v2/sessions", { body: { checks: { user: { loginName }, password: { password } } } })),
  },
  "a session that is there": {
    source: inSession,
    guess: async ({ ask }, { open }, password) =>
      wordsOf(
        await ask("here", `/v2/sessions/${open}`, { method: "PATCH", body: { checks: { password: { password } } } }),
      ),
  },
  "the current password, v2": {
    source: byUserService,
    guess: async ({ ask }, { userId, session }, currentPassword) =>
      wordsOf(
        await ask("here", `/v2/users/${userId}/password`, {
          token: session.sessionToken,
          body: { newPassword: { password: another }, currentPassword },
        }),
      ),
  },
  "the current password, v2, by an administrator": {
    source: byUserService,
    guess: async ({ ask }, { userId }, currentPassword) =>
      wordsOf(
        await ask("here", `/v2/users/${userId}/password`, {
          body: { newPassword: { password: another }, currentPassword },
        }),
      ),
  },
  "the current password, beside other changes": {
    source: byUserService,
    guess: async ({ ask }, { userId, session }, currentPassword) =>
      wordsOf(
        await ask("here", `${users}/UpdateUser`, {
          token: session.sessionToken,
          body: { userId, human: { password: { password: { password: another }, currentPassword } } },
        }),
      ),
  },
  "the current password, beside other changes of a person": {
    source: byUserService,
    guess: async ({ ask }, { userId, session }, currentPassword) =>
      wordsOf(
        await ask("here", `/v2/users/human/${userId}`, {
          method: "PUT",
          token: session.sessionToken,
          body: { password: { password: { password: another }, currentPassword } },
        }),
      ),
  },
  "the current password, v1": {
    source: "api/v1/auth/user/user.ts",
    guess: async ({ ask }, { session }, oldPassword) =>
      wordsOf(
        await ask("here", "/auth/v1/users/me/password", {
          method: "PUT",
          token: session.sessionToken,
          body: { oldPassword, newPassword: another },
        }),
      ),
  },
  "the page": {
    source: "domain/sign-in/enter-password.ts",
    guess: async ({ server }, { loginName, client }, password) => {
      const { browser, page } = await visit(server, client);
      const asked = await browser.submit(page, { login_name: loginName });
      return (await browser.submit(asked, { password })).alert ?? "done";
    },
  },
  "the page of the account": {
    source: "pages/account/password/handler.ts",
    kind: "that may stay",
    guess: async (_estate, who, password) => {
      const shown = await replace(who, "/ui/account/password", password);
      return shown.address.startsWith("/ui/account/methods") ? "done" : (shown.alert ?? shown.address);
    },
  },
  "the page on the way in": {
    source: "domain/sign-in/replace-password.ts",
    kind: "that has to be replaced",
    guess: async (_estate, who, password) => {
      const shown = await replace(who, "/ui/login/password-change", password);
      return isBack(shown) ? "done" : (shown.alert ?? shown.address);
    },
  },
};

// Each time from the same page, as it was before the first guess.
const replace = ({ at: { browser, page } }: Guessed, action: string, current: string): Promise<ShownPage> =>
  browser
    .copy()
    .submit(page, { current_password: current, new_password: another, new_password_repeated: another }, { action });

/** Returns the prompts for the password of such a user. */
export const promptsFor = (kind: KindOfGuessed): readonly (readonly [name: string, prompt: PasswordPrompt])[] =>
  Object.entries(passwordPrompts).filter(([, prompt]) => prompt.kind === undefined || prompt.kind === kind);
