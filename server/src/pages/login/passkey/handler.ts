import { Fault } from "../../../base/fault.ts";
import { asPerson } from "../../../call/index.ts";
import { findUserScope } from "../../../domain/user/index.ts";
import { registerKey, verifyKeyRegistration } from "../../../domain/webauthn-key/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt } from "../../visit/handlers.ts";
import { readCredential, readKeyName } from "../../visit/read-credential.ts";
import { showError } from "../../visit/show-error.ts";
import { openTicket, sealTicket } from "../../visit/ticket.ts";
import type { Visit } from "../../visit/visit.ts";
import { readTypedCode } from "../flow/typed-code.ts";
import { passkeyPage } from "./view.ts";

const path = "/ui/login/passkey";
const createPath = `${path}/create`;
const donePath = `${path}/done`;
const ticketPurpose = "passkey";

/**
 * `/ui/login/passkey`: registers a passkey with the code of a link, in any browser. A GET does not consume the code.
 * The options for the browser are not stored, so the response to the code is rendered immediately.
 */
export const passkeyPages: readonly PageAt[] = [
  {
    path,
    get: async (deps, visit) => {
      const { userId, codeId } = linkOf(visit);
      if (userId === "" || codeId === "") return seeOther("/ui/login");
      const code = await readTypedCode(deps, visit, "passkey_registration", visit.query.get("code"));
      return drawCode(deps, visit, code, undefined);
    },
    post: (deps, visit, form) => takeCode(deps, visit, form),
  },
  { path: createPath, post: (deps, visit, form) => takeCredential(deps, visit, form), pageOfForm: path },
  {
    path: donePath,
    get: (deps, visit) =>
      show(deps, visit, (context) => passkeyPage(context, { step: "done", signInHref: pathTo("/") }), {
        hasForm: false,
      }),
  },
];

const takeCode: FormHandler = async (deps, visit, form) => {
  const { userId, codeId } = linkOf(visit);
  const code = await readTypedCode(deps, visit, "passkey_registration", form.get("code"));
  if (form.get("passkeys") !== "1") return drawCode(deps, visit, code, "sign_in.passkeys_unsupported");
  try {
    const input = { userId, kind: "passkey", domain: "", code: { id: codeId, code } } as const;
    const { credentialId, options } = await registerKey({ ...deps, mayActFor: refuseOthers }, visit.call, input);
    const ticket = sealTicket(deps, visit, ticketPurpose, { userId, credentialId });
    return await show(
      deps,
      visit,
      (context) =>
        passkeyPage(context, {
          step: "create",
          action: pathTo(createPath),
          options: JSON.stringify(options),
          ticket,
        }),
      { isAddressable: false },
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Without a valid code nothing is learned about users: every refusal is the same.
    return drawCode(deps, visit, code, "user.code_invalid");
  }
};

const takeCredential: FormHandler = async (deps, visit, form) => {
  const { userId: owner, credentialId } = openTicket(deps, visit, ticketPurpose, form.get("ticket")) ?? {};
  const credential = readCredential(form.get("credential"));
  if (typeof owner !== "string" || typeof credentialId !== "string" || credential === undefined) {
    return showUsed(deps, visit);
  }
  const user = await findUserScope(deps.database.read, visit.call.instanceId, owner);
  if (user === undefined) return showUsed(deps, visit);
  const { userId } = user;
  const name = readKeyName(form.get("passkey_name"));
  // The code was the proof, and the ticket proves that it was entered here.
  const own = asPerson(visit.call, user);
  const input = { userId, credentialId, kind: "passkey", credential, name } as const;
  try {
    await verifyKeyRegistration({ ...deps, mayActFor: refuseOthers }, own, input);
    return seeOther(donePath);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return showUsed(deps, visit);
  }
};

const linkOf = ({ query }: Visit) => ({ userId: query.get("user") ?? "", codeId: query.get("id") ?? "" });
const refuseOthers = (): Promise<boolean> => Promise.resolve(false);

const drawCode = (deps: PageDeps, visit: Visit, code: string, problem: string | undefined): Promise<WebResponse> =>
  show(deps, visit, (context) => {
    const { userId: user, codeId: id } = linkOf(visit);
    return passkeyPage(context, {
      step: "code",
      action: pathTo(path, { user, id }),
      code,
      errors:
        problem === undefined
          ? []
          : [{ field: "code", message: deps.texts.translate(context.language, `fault.${problem}`) }],
    });
  });

const showUsed = (deps: PageDeps, visit: Visit): Promise<WebResponse> =>
  showError(deps, visit, { error: "passkey_refused" });
