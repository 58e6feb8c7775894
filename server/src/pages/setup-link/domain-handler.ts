import { seeOther } from "../visit/answer.ts";
import type { FormHandler } from "../visit/handlers.ts";
import { change } from "./change.ts";
import { drawTasks } from "./draw-tasks.ts";
import { perform, tasksPath, withSession } from "./with-session.ts";

const nameIn = (form: URLSearchParams): string => (form.get("domain") ?? "").trim().toLowerCase();

/** Adds a domain, with the record that proves it. */
export const takeDomain: FormHandler = (deps, visit, form) => {
  const domain = nameIn(form);
  return withSession(deps, visit, async (session) => {
    const refusal = await perform(deps, visit, () => ({ kind: "add_domain", domain }));
    if (refusal !== undefined) {
      const problem = { part: "domain", entered: { domain }, message: refusal.message } as const;
      return drawTasks(deps, visit, session, { problem });
    }
    // Refused where settings of the instance accept domains without proof: there is nothing to publish then.
    await perform(deps, visit, () => ({ kind: "ask_for_proof", domain }));
    return seeOther(tasksPath);
  });
};

/** Makes a record to publish for a domain that has none. */
export const takeProof: FormHandler = (deps, visit, form) =>
  change(deps, visit, () => ({ kind: "ask_for_proof", domain: nameIn(form) }), { part: "domain" });

/** Looks for the record of a domain. */
export const takeCheck: FormHandler = (deps, visit, form) =>
  change(deps, visit, () => ({ kind: "verify_domain", domain: nameIn(form) }), { part: "domain" });
