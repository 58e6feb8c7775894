import { type Call, Refusal } from "./api.ts";
import { at, findAttempt } from "./attempt.ts";
import { proceed } from "./goal.ts";
import { type Html, html } from "./html.ts";
import { Dead, type Handler, type Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";
import { listAddable, listSecondFactors, readSettings, type SecondFactor } from "./login-settings.ts";
import { alertOf, button, field, footer, form, page } from "./page.ts";
import { problemOf, sentenceOf } from "./sentences.ts";
import { readProvenUser } from "./sessions.ts";

const path = "/second-factor/set-up";
const codePath = `${path}/code`;

/**
 * Sets up a second factor during the sign-in, where the settings demand one and the user has none at all: an
 * authenticator app, or codes by mail or text message to a confirmed address or number.
 */
export function setUpRoutes(call: Call): Readonly<Record<string, Handler>> {
  /**
   * Returns the user, and what is possible. Only within ten minutes of a first factor, and only for users without a
   * second one: users with one must not get past it by adding another, or a stolen password would be enough.
   */
  const findUser = async (attempt: Attempt) => {
    const user = await readProvenUser(call, attempt, 600_000);
    if (user === undefined) throw new Dead("Sign in first.");
    const settings = await readSettings(call, user.organizationId);
    if ((await listSecondFactors(call, user.id, settings)).hasAny) throw new Dead("There is a second factor already.");
    const addable = await listAddable(call, user.id, settings);
    if (addable.length === 0) throw new Dead(sentenceOf("second_factor_none"));
    return { userId: user.id, kinds: addable.map(({ kind }) => kind) };
  };
  /** Does what the server may refuse, then continues; a refusal is shown on the page. */
  const add = async (visit: Visit, attempt: Attempt, method: string, message: object) => {
    try {
      await call(`user.v2.UserService/${method}`, message);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      attempt.problem = problemOf(error);
      return at(path, attempt);
    }
    return proceed(call, visit, attempt);
  };
  return {
    [`GET ${path}`]: async (visit) => {
      const attempt = findAttempt(visit);
      const { userId, kinds } = await findUser(attempt);
      return {
        page: page(
          "Set up a second factor",
          html`${alertOf(attempt)}<p>You need a second factor here.</p>
${kinds.includes("totp") ? await appForm(call, visit, attempt, userId) : undefined}
${kinds.map((kind) => codeButton(visit, attempt, kind))}${footer(visit.jar, attempt)}`,
        ),
      };
    },

    [`POST ${path}`]: async (visit) => {
      const attempt = findAttempt(visit);
      const { userId, kinds } = await findUser(attempt);
      if (!kinds.includes("totp")) return at(path, attempt);
      const code = (visit.form.get("code") ?? "").replace(/\s/g, "");
      return add(visit, attempt, "VerifyTOTPRegistration", { userId, code });
    },

    // A code is sent and asked for at once, as the second factor that the user has from now on.
    [`POST ${codePath}`]: async (visit) => {
      const attempt = findAttempt(visit);
      const { userId, kinds } = await findUser(attempt);
      const kind = kinds.find((one) => one === visit.form.get("kind"));
      if (kind === "otpEmail") return add(visit, attempt, "AddOTPEmail", { userId });
      if (kind === "otpSms") return add(visit, attempt, "AddOTPSMS", { userId });
      return at(path, attempt);
    },
  };
}

/**
 * Returns a new secret with every visit: an unconfirmed one is replaced. A form sent twice gets the page with a new
 * secret.
 */
async function appForm(call: Call, visit: Visit, attempt: Attempt, userId: string): Promise<Html> {
  const { uri, secret } = await call<{ uri: string; secret: string }>("user.v2.UserService/RegisterTOTP", { userId });
  const code = field("code", "Code", html`inputmode="numeric" autocomplete="one-time-code" maxlength="12"`);
  return html`<h2>Set up an authenticator app</h2>
<p>Open your authenticator app on this device with <a href="${uri}">this link</a>, or add an account with this key:</p>
<p><code id="secret">${secret}</code></p>
${form(visit.jar, path, attempt, html`${code}${button("Continue")}`)}`;
}

const labels = { otpEmail: "Send me codes by email", otpSms: "Send me codes by text message" } as const;

const codeButton = (visit: Visit, attempt: Attempt, kind: SecondFactor["kind"]): Html | undefined =>
  kind === "otpEmail" || kind === "otpSms"
    ? form(visit.jar, codePath, attempt, html`<input type="hidden" name="kind" value="${kind}">${button(labels[kind])}`)
    : undefined;
