import { ActionState } from "@doorward/api/service/action/v1/action_pb";
import { Badge } from "../../../parts/badge.tsx";
import { t } from "../../../text/catalogue.ts";

/** Whether a script runs at its triggers. */
export const ScriptBadge = ({ state }: { readonly state: ActionState }) =>
  state === ActionState.ACTIVE ? (
    <Badge look="good">{t("automation.script.active")}</Badge>
  ) : (
    <Badge>{t("automation.script.inactive")}</Badge>
  );
