import { setTimeout as delay } from "node:timers/promises";
import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { readAuthRequest } from "./auth-request.ts";
import { denyDevice, proceed, refuse, tryFinish } from "./goal.ts";
import { html } from "./html.ts";
import type { Answer, Handler, Visit } from "./http.ts";
import { type Attempt, openAttempt } from "./jar.ts";
import { readSettings } from "./login-settings.ts";
import { alertOf, button, field, footer, form, page } from "./page.ts";
import type { AuthRequest, Session } from "./server-words.ts";
import { listSessions, prove } from "./sessions.ts";

// Known and unknown names, wrong and locked passwords answer alike, and not before this has passed.
const patience = 600;

/** Login name, password, and what the request asks for before anything is typed. */
export function signInRoutes(call: Call): Readonly<Record<string, Handler>> {
  return {
    // The server sends browsers here, with the id of the request.
    "GET /login": async (visit) => {
      const request = await readAuthRequest(call, visit.query.get("authRequest") ?? "");
      const attempt = openAttempt(visit.jar, { authRequest: request.id });
      const sessions = await listSessions(call, visit);
      const prompt = request.prompt ?? [];
      if (prompt.includes("PROMPT_NONE")) return answerSilently(call, visit, attempt, { request, sessions });
      if (prompt.includes("PROMPT_CREATE")) return at("/register", attempt);
      if (prompt.includes("PROMPT_LOGIN") || sessions.length === 0) return at("/name", attempt);
      if (sessions.length > 1 || prompt.includes("PROMPT_SELECT_ACCOUNT")) return at("/accounts", attempt);
      attempt.sessionId = sessions[0]?.id ?? "";
      return (await tryFinish(call, visit, attempt)) ?? at("/accounts", attempt);
    },

    "GET /name": async (visit) => {
      const attempt = findAttempt(visit);
      const request = attempt.authRequest === undefined ? undefined : await readAuthRequest(call, attempt.authRequest);
      const settings = await readSettings(call);
      const typed = attempt.loginName ?? request?.loginHint ?? "";
      const name = field(
        "loginName",
        "Email or username",
        html`autocomplete="username webauthn" autocapitalize="none" spellcheck="false" maxlength="200" autofocus`,
        typed,
      );
      const register =
        settings.allowRegister === true && html`<p><a href="/register?attempt=${attempt.id}">Create an account</a></p>`;
      const providers =
        settings.allowExternalIdp === true &&
        html`<p><a href="/providers?attempt=${attempt.id}">Sign in with another service</a></p>`;
      return {
        page: page(
          "Sign in",
          html`${alertOf(attempt)}${form(visit.jar, "/name", attempt, html`${name}${button("Continue")}`)}
${register || undefined}${providers || undefined}
${form(visit.jar, "/cancel", attempt, button("Cancel", html`class="quiet"`))}`,
        ),
      };
    },

    "POST /name": async (visit) => {
      const attempt = findAttempt(visit);
      const loginName = (visit.form.get("loginName") ?? "").trim().slice(0, 200);
      attempt.loginName = loginName;
      // A user whom this browser knows continues in their session: a second factor that it has seen need not be asked
      // for again.
      const known = (await listSessions(call, visit)).find(
        ({ factors }) => factors?.user?.loginName.toLowerCase() === loginName.toLowerCase(),
      );
      if (known === undefined) delete attempt.sessionId;
      else attempt.sessionId = known.id;
      return at(loginName === "" ? "/name" : "/password", attempt);
    },

    "GET /password": async (visit) => {
      const attempt = findAttempt(visit);
      if (attempt.loginName === undefined) return at("/name", attempt);
      const settings = await readSettings(call);
      const password = field(
        "password",
        "Password",
        html`type="password" autocomplete="current-password" maxlength="200" autofocus`,
      );
      const forgotten =
        settings.hidePasswordReset !== true &&
        html`<p><a href="/password/forgotten?attempt=${attempt.id}">Forgot your password?</a></p>`;
      const passkey =
        settings.passkeysType === "PASSKEYS_TYPE_ALLOWED" &&
        form(visit.jar, "/passkey", attempt, button("Use a passkey", html`class="quiet"`));
      return {
        page: page(
          "Enter your password",
          html`${alertOf(attempt)}
${form(visit.jar, "/password", attempt, html`<input name="username" autocomplete="username" value="${attempt.loginName}" hidden>${password}${button("Sign in")}`)}
${passkey || undefined}${forgotten || undefined}
<p><a href="/name?attempt=${attempt.id}">Use another name</a></p>
${footer(visit.jar, attempt)}`,
        ),
      };
    },

    "POST /password": async (visit) => {
      const attempt = findAttempt(visit);
      const notBefore = delay(patience);
      const password = { password: visit.form.get("password") ?? "" };
      try {
        await prove(call, visit, attempt, { checks: { password } });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        await notBefore;
        attempt.problem = "credentials_wrong";
        return at("/password", attempt);
      }
      return proceed(call, visit, attempt);
    },

    "POST /cancel": async (visit) => {
      const attempt = findAttempt(visit);
      if (attempt.authRequest !== undefined) return refuse(call, visit, attempt, "ERROR_REASON_ACCESS_DENIED");
      await denyDevice(call, visit, attempt);
      return { redirect: "/device/done" };
    },
  };
}

interface Silent {
  readonly request: AuthRequest;
  readonly sessions: readonly Session[];
}

/**
 * `prompt=none`: an answer without a page (OpenID Connect Core §3.1.2.1). With several sessions, the session of the
 * user that the request means.
 */
async function answerSilently(
  call: Call,
  visit: Visit,
  attempt: Attempt,
  { request, sessions }: Silent,
): Promise<Answer> {
  const { hintUserId, loginHint } = request;
  const fitting = sessions.filter(({ factors }) => hintUserId === undefined || factors?.user?.id === hintUserId);
  const hinted = fitting.filter(({ factors }) => factors?.user?.loginName.toLowerCase() === loginHint?.toLowerCase());
  const candidates = fitting.length > 1 && hinted.length > 0 ? hinted : fitting;
  if (candidates.length > 1) return refuse(call, visit, attempt, "ERROR_REASON_ACCOUNT_SELECTION_REQUIRED");
  attempt.sessionId = candidates[0]?.id ?? "";
  const askConsent = () => refuse(call, visit, attempt, "ERROR_REASON_CONSENT_REQUIRED");
  return (
    (await tryFinish(call, visit, attempt, { askConsent })) ??
    refuse(call, visit, attempt, "ERROR_REASON_LOGIN_REQUIRED")
  );
}
