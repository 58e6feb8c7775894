import type { Call } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { tryFinish } from "./goal.ts";
import { html } from "./html.ts";
import type { Handler, Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";
import { nextStep } from "./next-step.ts";
import { button, footer, form, page } from "./page.ts";
import type { Session } from "./server-words.ts";
import { endSession, listSessions } from "./sessions.ts";

/** The accounts of this browser: choosing one, removing one, or using another. */
export function accountRoutes(call: Call): Readonly<Record<string, Handler>> {
  const choice = (visit: Visit, attempt: Attempt, { id, factors }: Session) => {
    const { displayName = "", loginName = "" } = factors?.user ?? {};
    const named = html`<input type="hidden" name="session" value="${id}">`;
    return html`<li>
${form(visit.jar, "/accounts", attempt, html`${named}${button(`${displayName} (${loginName})`)}`)}
${form(visit.jar, "/accounts/remove", attempt, html`${named}${button(`Sign ${loginName} out`, html`class="quiet"`)}`)}
</li>`;
  };
  return {
    "GET /accounts": async (visit) => {
      const attempt = findAttempt(visit);
      const sessions = await listSessions(call, visit);
      if (sessions.length === 0) return at("/name", attempt);
      const list = html`<ul class="accounts">${sessions.map((session) => choice(visit, attempt, session))}</ul>`;
      const other = html`<p><a href="/name?attempt=${attempt.id}">Use another account</a></p>`;
      delete attempt.loginName;
      return { page: page("Choose an account", html`${list}${other}${footer(visit.jar, attempt)}`) };
    },

    "POST /accounts": async (visit) => {
      const attempt = findAttempt(visit);
      const chosen = (await listSessions(call, visit)).find(({ id }) => id === visit.form.get("session"));
      if (chosen === undefined) return at("/accounts", attempt);
      attempt.sessionId = chosen.id;
      attempt.loginName = chosen.factors?.user?.loginName ?? "";
      return (await tryFinish(call, visit, attempt)) ?? nextStep(call, visit, attempt);
    },

    "POST /accounts/remove": async (visit) => {
      const attempt = findAttempt(visit);
      await endSession(call, visit, visit.form.get("session") ?? "");
      return at("/accounts", attempt);
    },

    // Signing out that an application started: the server cannot see whose browser this is, so the user confirms it.
    "GET /logout": async (visit) => {
      const sessions = await listSessions(call, visit);
      const after = visit.query.get("post_logout_redirect") ?? "";
      if (sessions.length === 0) return { page: page("You are signed out", goOn(after)) };
      const names = sessions.map(({ factors }) => html`<li>${factors?.user?.loginName}</li>`);
      const fields = html`<input type="hidden" name="after" value="${after}">${button("Sign out")}`;
      return { page: page("Sign out", html`<ul>${names}</ul>${form(visit.jar, "/logout", undefined, fields)}`) };
    },

    "POST /logout": async (visit) => {
      for (const { id } of [...visit.jar.sessions]) await endSession(call, visit, id);
      const after = visit.form.get("after") ?? "";
      return {
        redirect:
          after === "" ? "/logout" : `/logout?${new URLSearchParams({ post_logout_redirect: after }).toString()}`,
      };
    },
  };
}

// The server has checked the address, but the author of a link to this page need not have: so no user is sent there
// without seeing where it leads.
function goOn(after: string) {
  const url = URL.parse(after);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url !== null && isWeb
    ? html`<p><a href="${url.href}">Go on to ${url.host}</a></p>`
    : html`<p>You can close this page.</p>`;
}
