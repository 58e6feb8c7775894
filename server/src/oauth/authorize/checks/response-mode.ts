import { chooseResponseMode } from "../../response-mode/response-mode.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Chooses how the response travels. An unknown mode is not an error. */
export const settleResponseMode = ({
  parameters,
  responseType,
  redirectUri,
}: Pick<Asked, "parameters" | "redirectUri"> & Settled<"responseType">): Settled<"responseMode"> => ({
  responseMode: chooseResponseMode({ requested: parameters.get("response_mode"), responseType, redirectUri }),
});
