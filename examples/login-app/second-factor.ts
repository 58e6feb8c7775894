import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { proceed } from "./goal.ts";
import { type Html, html } from "./html.ts";
import type { Handler, Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";
import { listSecondFactors, readSettings, type SecondFactor } from "./login-settings.ts";
import { alertOf, button, field, footer, form, page } from "./page.ts";
import { sendCode } from "./send-code.ts";
import { problemOf } from "./sentences.ts";
import { prove, readProvenUser } from "./sessions.ts";

type Kind = SecondFactor["kind"];

const texts = {
  totp: "Enter the code that your authenticator app shows.",
  otpEmail: "We sent you a code by email.",
  otpSms: "We sent you a code by text message.",
  recoveryCode: "Enter one of the recovery codes that you wrote down. It is used up then.",
  key: "",
} as const satisfies Record<Kind, string>;

/** The second factor: asked for where the user has one or the settings demand it. */
export function secondFactorRoutes(call: Call): Readonly<Record<string, Handler>> {
  /** What the user has, after a first factor was right. */
  const listTheirs = async (attempt: Attempt): Promise<readonly SecondFactor[]> => {
    const user = await readProvenUser(call, attempt);
    if (user === undefined) return [];
    return (await listSecondFactors(call, user.id, await readSettings(call, user.organizationId))).usable;
  };
  return {
    "GET /second-factor": async (visit) => {
      const attempt = findAttempt(visit);
      if (attempt.sessionId === undefined) return at("/name", attempt);
      const theirs = await listTheirs(attempt);
      const chosen = theirs.find(({ kind }) => kind === visit.query.get("kind")) ?? theirs[0];
      if (chosen === undefined) return at("/password", attempt);
      const { kind } = chosen;
      const others = theirs.filter((one) => one !== chosen).map((other) => otherMethod(visit, attempt, other));
      const title = chosen.label;
      return {
        page: page(
          title,
          html`${alertOf(attempt)}${kind === "key" ? keyForm(visit, attempt) : codeForm(visit, attempt, kind)}
${others.length > 0 ? html`<h2>Other attempts</h2>${others}` : undefined}${footer(visit.jar, attempt)}`,
        ),
      };
    },

    // Choosing another way; where it is a code, one is sent.
    "POST /second-factor/choose": async (visit) => {
      const attempt = findAttempt(visit);
      const kind = visit.form.get("kind") ?? "";
      const chosen = (await listTheirs(attempt)).find((one) => one.kind === kind);
      if (chosen !== undefined) await sendCode(call, visit, attempt, chosen.kind);
      return { redirect: `/second-factor?${new URLSearchParams({ attempt: attempt.id, kind }).toString()}` };
    },

    "POST /second-factor": async (visit) => {
      const attempt = findAttempt(visit);
      const kind = visit.form.get("kind") ?? "";
      const code = (visit.form.get("code") ?? "").replace(/\s/g, "");
      const chosen = (await listTheirs(attempt)).find((one) => one.kind === kind && one.kind !== "key");
      if (chosen === undefined) return at("/second-factor", attempt);
      try {
        await prove(call, visit, attempt, { checks: { [chosen.check]: { code } } });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The interface refuses a code of the wrong length before anything counts it.
        attempt.problem = /^field\./.test(error.id) ? "factor.code_wrong" : problemOf(error);
        return { redirect: `/second-factor?${new URLSearchParams({ attempt: attempt.id, kind }).toString()}` };
      }
      return proceed(call, visit, attempt);
    },
  };
}

const keyForm = (visit: Visit, attempt: Attempt): Html => html`
<p>Have your key at hand, then continue.</p>
${form(visit.jar, "/key", attempt, button("Continue"))}`;

function codeForm(visit: Visit, attempt: Attempt, kind: Exclude<Kind, "key">): Html {
  const attributes =
    kind === "recoveryCode"
      ? html`autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" autofocus`
      : html`inputmode="numeric" autocomplete="one-time-code" maxlength="12" autofocus`;
  const fields = html`<input type="hidden" name="kind" value="${kind}">${field("code", "Code", attributes)}${button("Continue")}`;
  const again =
    kind === "otpEmail" || kind === "otpSms"
      ? otherMethod(visit, attempt, { kind, label: "Send another code" })
      : undefined;
  return html`<p>${texts[kind]}</p>${form(visit.jar, "/second-factor", attempt, fields)}${again}`;
}

const otherMethod = (
  { jar }: Visit,
  attempt: Attempt,
  { kind, label }: Pick<SecondFactor, "kind" | "label"> | { kind: Kind; label: string },
): Html =>
  form(
    jar,
    "/second-factor/choose",
    attempt,
    html`<input type="hidden" name="kind" value="${kind}">${button(label, html`class="quiet"`)}`,
  );
