import { enterUserCode } from "../../../domain/device-authorization/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { showError } from "../../visit/show-error.ts";
import type { Visit } from "../../visit/visit.ts";
import { deviceCodePage } from "./view.ts";

const longestCode = 40;

/** `/device`: the address that devices show, because it is short. */
export const leadToDevice: PageHandler = async (_deps, visit) =>
  seeOther(pathTo("/ui/login/device", { user_code: visit.query.get("user_code")?.slice(0, longestCode) }));

/**
 * `/ui/login/device`: asks for the code that the device shows. A GET decides nothing, even when the link contains the
 * code.
 */
export const showDeviceCode: PageHandler = async (deps, visit) =>
  draw(deps, visit, visit.query.get("user_code")?.slice(0, longestCode) ?? "", undefined);

export const takeDeviceCode: FormHandler = async (deps, visit, form) => {
  const typed = form.get("user_code") ?? "";
  const { clientAddress } = visit.request;
  const browserHash = visit.browser.hash;
  const entered = await enterUserCode(deps, visit.call, { typed, browserHash, clientAddress });
  switch (entered.outcome) {
    case "found":
      return seeOther(pathTo("/ui/login/device/confirm", { device: entered.device.deviceAuthorizationId }));
    case "wrong":
      return draw(deps, visit, typed.slice(0, longestCode), typed === "" ? "device.code_missing" : "device.code_wrong");
    case "too_many":
      return showError(deps, visit, { error: "too_many_requests" });
    default:
      return entered satisfies never;
  }
};

const draw = (
  deps: PageDeps,
  visit: Visit,
  userCode: string,
  problem: "device.code_missing" | "device.code_wrong" | undefined,
): Promise<WebResponse> =>
  show(deps, visit, (context) =>
    deviceCodePage(context, {
      action: pathTo("/ui/login/device"),
      userCode,
      errors: problem === undefined ? [] : [{ field: "user_code", message: context.say(problem) }],
    }),
  );
