import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";
import { readUiLocales } from "../read-ui-locales.ts";

/** Copies the values that need no check. */
export const settlePlainValues = ({
  parameters,
}: Pick<Asked, "parameters">): Settled<"state" | "loginHint" | "idTokenHint" | "uiLocales"> => ({
  state: parameters.get("state"),
  loginHint: parameters.get("login_hint"),
  idTokenHint: parameters.get("id_token_hint"),
  uiLocales: readUiLocales(parameters),
});
