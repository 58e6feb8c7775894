import { Fault } from "../../../base/fault.ts";
import { requestContactCode, verifyPhone } from "../../../domain/contact/index.ts";
import { mayPrepareFor } from "../../../domain/membership/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { PageAt } from "../../visit/handlers.ts";
import type { Visit } from "../../visit/visit.ts";
import { resendWait } from "../flow/resend-wait.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { findSignedIn } from "../signed-in/handler.ts";
import { verifyEmailPage } from "../verify-email/view.ts";

const path = "/ui/login/verify-phone";
const resendPath = `${path}/resend`;
const donePath = `${path}/done`;

/**
 * `/ui/login/verify-phone`: the code that was sent to a phone number. It works in any browser, for the user in a link,
 * else for the signed-in user; wrong codes are counted. A GET proves nothing and sends nothing.
 */
export const verifyPhonePages: readonly PageAt[] = [
  {
    path,
    get: async (deps, visit) => {
      const userId = await findUserId(deps, visit);
      if (userId === undefined) return seeOther("/ui/login");
      const code = await readTypedCode(deps, visit, "phone_verification", visit.query.get("code"));
      return draw(deps, visit, { userId, code, problem: undefined });
    },
    post: async (deps, visit, form) => {
      const userId = await findUserId(deps, visit);
      if (userId === undefined) return seeOther("/ui/login");
      const code = await readTypedCode(deps, visit, "phone_verification", form.get("code"));
      try {
        await verifyPhone({ ...deps, mayPrepareFor }, visit.call, { userId, code });
        return seeOther(donePath);
      } catch (error) {
        // Without a valid code nothing is learned about users: every refusal is the same.
        if (!(error instanceof Fault)) throw error;
        return draw(deps, visit, { userId, code, problem: error.id });
      }
    },
  },
  {
    path: resendPath,
    pageOfForm: path,
    post: async (deps, visit) => {
      const userId = await findUserId(deps, visit);
      if (userId === undefined) return seeOther("/ui/login");
      await requestContactCode({ ...deps, mayPrepareFor }, visit.call, { userId, contact: "phone" });
      // The same response, whether there is a number to verify or not.
      return seeOther(pathTo(path, { user: userId, again: String(visit.call.now) }));
    },
  },
  {
    path: donePath,
    get: (deps, visit) =>
      show(
        deps,
        visit,
        (context) => verifyEmailPage(context, { outcome: "verified", contact: "phone", startHref: pathTo("/") }),
        { hasForm: false },
      ),
  },
];

const findUserId = async (deps: PageDeps, visit: Visit): Promise<string | undefined> =>
  visit.query.get("user") ?? (await findSignedIn(deps, visit))?.session.userId;

const draw = (
  deps: PageDeps,
  visit: Visit,
  { userId, code, problem }: { readonly userId: string; readonly code: string; readonly problem: string | undefined },
): Promise<WebResponse> =>
  show(deps, visit, (context) =>
    verifyEmailPage(context, {
      outcome: "asked",
      contact: "phone",
      action: pathTo(path, { user: userId }),
      code,
      resend: { action: pathTo(resendPath, { user: userId }), wait: resendWait(visit) },
      isSentAgain: visit.query.has("again") && problem === undefined,
      errors:
        problem === undefined
          ? []
          : [{ field: "code", message: deps.texts.translate(context.language, `fault.${problem}`) }],
    }),
  );
