import { setTimeout as delay } from "node:timers/promises";
import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { proceed } from "./goal.ts";
import { html } from "./html.ts";
import { Dead, type Handler } from "./http.ts";
import { dropSession } from "./jar.ts";
import { readSettings } from "./login-settings.ts";
import { alertOf, button, field, footer, form, page } from "./page.ts";
import { problemOf } from "./sentences.ts";
import type { User, WrittenSession } from "./server-words.ts";
import { prove, readProvenUser, readSession } from "./sessions.ts";

/** A field for a password that is being chosen. The server knows the rules; what it refuses, it says. */
export const newPassword = () =>
  field("newPassword", "New password", html`type="password" autocomplete="new-password" maxlength="200"`);

const patience = 600;

/** Passwords that have to be replaced, and forgotten passwords. */
export function passwordRoutes(call: Call, origin: string): Readonly<Record<string, Handler>> {
  return {
    "GET /password/change": (visit) => {
      const attempt = findAttempt(visit);
      const current = field(
        "password",
        "Current password",
        html`type="password" autocomplete="current-password" maxlength="200"`,
      );
      return {
        page: page(
          "Choose a new password",
          html`${alertOf(attempt)}<p>Your password has to be replaced before you can go on.</p>
${form(visit.jar, "/password/change", attempt, html`${current}${newPassword()}${button("Save and continue")}`)}${footer(visit.jar, attempt)}`,
        ),
      };
    },

    "POST /password/change": async (visit) => {
      const attempt = findAttempt(visit);
      const user = await readProvenUser(call, attempt);
      if (user === undefined) throw new Dead("Sign in first.");
      const [current, chosen] = [visit.form.get("password") ?? "", visit.form.get("newPassword") ?? ""];
      try {
        const set = { userId: user.id, currentPassword: current, newPassword: { password: chosen } };
        await call("user.v2.UserService/SetPassword", set);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        attempt.problem = problemOf(error);
        return at("/password/change", attempt);
      }
      // A new password ends the sessions that depend on the former one; the new one opens another.
      dropSession(visit.jar, attempt.sessionId ?? "");
      delete attempt.sessionId;
      await prove(call, visit, attempt, { checks: { user: { userId: user.id }, password: { password: chosen } } });
      return proceed(call, visit, attempt);
    },

    "GET /password/forgotten": async (visit) => {
      const attempt = findAttempt(visit);
      if ((await readSettings(call)).hidePasswordReset === true) throw new Dead("Please ask your administrator.");
      const name = field(
        "loginName",
        "Email or username",
        html`autocomplete="username" autocapitalize="none" maxlength="200"`,
        attempt.loginName,
      );
      return {
        page: page(
          "Forgot your password?",
          html`<p>We send you a message with a link, if there is a confirmed address.</p>
${form(visit.jar, "/password/forgotten", attempt, html`${name}${button("Send")}`)}${footer(visit.jar, attempt)}`,
        ),
      };
    },

    // The same answer for every name, and not at once.
    "POST /password/forgotten": async (visit) => {
      const attempt = findAttempt(visit);
      const notBefore = delay(patience);
      const loginName = (visit.form.get("loginName") ?? "").trim();
      if ((await readSettings(call)).hidePasswordReset !== true && loginName !== "")
        await send(call, origin, loginName);
      await notBefore;
      return at("/password/sent", attempt);
    },

    "GET /password/sent": (visit) => {
      const attempt = findAttempt(visit);
      const back = html`<p><a href="/name?attempt=${attempt.id}">Back to signing in</a></p>`;
      return {
        page: page("Look into your mailbox", html`<p>If there is such an account, a message is on its way.</p>${back}`),
      };
    },

    // The link in the message. It may be opened in any browser; the code is the proof.
    "GET /password/reset": ({ jar, query }) => {
      const hidden = ["user", "code"].map(
        (name) => html`<input type="hidden" name="${name}" value="${query.get(name) ?? ""}">`,
      );
      const problem =
        query.get("refused") === null
          ? undefined
          : html`<div role="alert">That password or link was not accepted. Choose another password, or ask for another message.</div>`;
      return {
        page: page(
          "Choose a new password",
          html`${problem}${form(jar, "/password/reset", undefined, html`${hidden}${newPassword()}${button("Save")}`)}`,
        ),
      };
    },

    "POST /password/reset": async ({ form: fields }) => {
      const [userId, verificationCode] = [fields.get("user") ?? "", fields.get("code") ?? ""];
      const chosen = { password: fields.get("newPassword") ?? "" };
      try {
        // Without a code the server would believe this application, which may set passwords: never leave it out.
        if (verificationCode === "") throw new Refusal("user.password_code_wrong", "");
        await call("user.v2.UserService/SetPassword", { userId, newPassword: chosen, verificationCode });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const again = new URLSearchParams({ user: userId, code: verificationCode, refused: "1" });
        return { redirect: `/password/reset?${again.toString()}` };
      }
      return { redirect: "/password/saved" };
    },

    "GET /password/saved": () => ({
      page: page("Your password is saved", html`<p>Go back to the application and sign in with it.</p>`),
    }),
  };
}

async function send(call: Call, origin: string, loginName: string): Promise<void> {
  const user = await findUser(call, loginName);
  // A user who claimed another's address does not get the account.
  if (user?.human?.email?.isVerified !== true) return;
  const urlTemplate = `${origin}/password/reset?user={{.UserID}}&code={{.Code}}`;
  const notificationType = "NOTIFICATION_TYPE_Email";
  const sending = { userId: user.userId, sendLink: { notificationType, urlTemplate } };
  await call("user.v2.UserService/PasswordReset", sending).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

/**
 * Finds the user that a sign-in with this name means: the server has its own rules for that, so a session of a minute
 * asks it.
 */
async function findUser(call: Call, loginName: string): Promise<User | undefined> {
  try {
    const checks = { user: { loginName } };
    const named = await call<WrittenSession>("session.v2.SessionService/CreateSession", { checks, lifetime: "60s" });
    const { sessionId = "", sessionToken } = named;
    const { factors } = await readSession(call, { id: "", sessionId });
    await call("session.v2.SessionService/DeleteSession", { sessionId, sessionToken });
    const { user } = await call<{ user: User }>("user.v2.UserService/GetUserByID", { userId: factors?.user?.id ?? "" });
    return user;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
