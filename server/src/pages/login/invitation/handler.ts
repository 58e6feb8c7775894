import { Fault } from "../../../base/fault.ts";
import { requestInvitation } from "../../../domain/invitation/index.ts";
import { mayPrepareFor } from "../../../domain/membership/index.ts";
import { acceptInvitationWithPasskey, startInvitationPasskey } from "../../../domain/webauthn-key/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageAt } from "../../visit/handlers.ts";
import { readCredential, readKeyName } from "../../visit/read-credential.ts";
import { openTicket, sealTicket, textIn } from "../../visit/ticket.ts";
import { hostOf, type Visit } from "../../visit/visit.ts";
import { passkeyPage } from "../passkey/view.ts";
import { drawInvitation, toPasswordCodeProblem } from "../password-code/show-password-code.ts";
import { invitationPath as path } from "./invitation-address.ts";
import { againPath } from "./invitation-methods.ts";
import { invitationProviderPages } from "./provider-handler.ts";

const passkeyPath = `${path}/passkey`;
const ticketPurpose = "invitation";

/** Asks the browser for a passkey after a correct code, which is consumed with it. */
export async function askForPasskey(
  deps: PageDeps,
  visit: Visit,
  { userId, code, form }: { readonly userId: string; readonly code: string; readonly form: URLSearchParams },
): Promise<WebResponse> {
  if (form.get("passkeys") !== "1") {
    return drawInvitation(deps, visit, { userId, code, problem: { id: "sign_in.passkeys_unsupported" } });
  }
  try {
    const host = hostOf(visit.request);
    const { options, ...started } = await startInvitationPasskey(deps, visit.call, { userId, code, host });
    const ticket = sealTicket(deps, visit, ticketPurpose, { userId, code, ...started });
    const action = pathTo(passkeyPath, { user: userId });
    return await show(
      deps,
      visit,
      (context) => passkeyPage(context, { step: "create", action, options: JSON.stringify(options), ticket }),
      { isAddressable: false },
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return drawInvitation(deps, visit, { userId, code, problem: toPasswordCodeProblem(error) });
  }
}

const takePasskey: FormHandler = async (deps, visit, form) => {
  const content = openTicket(deps, visit, ticketPurpose, form.get("ticket"));
  const text = (name: string): string => textIn(content, name);
  const [userId, code] = [text("userId"), text("code")];
  const credential = readCredential(form.get("credential"));
  if (credential === undefined || userId === "") {
    return seeOther(pathTo(path, { user: visit.query.get("user") ?? userId }));
  }
  const started = { credentialId: text("credentialId"), relyingPartyId: text("relyingPartyId") };
  const name = readKeyName(form.get("passkey_name"));
  try {
    await acceptInvitationWithPasskey(deps, visit.call, { userId, code, started, credential, name });
    return seeOther("/ui/login/passkey/done");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isOfKey = error.id === "factor.key_refused" || error.id === "factor.key_known";
    const problem = isOfKey ? { id: error.id } : toPasswordCodeProblem(error);
    return drawInvitation(deps, { ...visit, query: new URLSearchParams({ user: userId }) }, { userId, code, problem });
  }
};

const takeAgain: FormHandler = async (deps, visit) => {
  const userId = visit.query.get("user") ?? "";
  await requestInvitation({ ...deps, mayPrepareFor }, visit.call, { userId });
  // The same response, whether there was an invitation or not.
  return seeOther(pathTo(path, { user: userId, again: "1" }));
};

/** The pages of an invitation besides the password: a passkey, an account at a provider, and another invitation. */
export const invitationPages: readonly PageAt[] = [
  { path: passkeyPath, post: takePasskey, pageOfForm: path },
  { path: againPath, post: takeAgain, pageOfForm: path },
  ...invitationProviderPages,
];
