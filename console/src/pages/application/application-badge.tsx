import { type Application, ApplicationState } from "@doorward/api/service/application/v2/application_pb";
import { Badge } from "../../parts/badge.tsx";
import { t } from "../../text/catalogue.ts";

/** Whether users can sign in to the application. */
export const ApplicationBadge = ({ application: { state } }: { readonly application: Application }) =>
  state === ApplicationState.ACTIVE ? (
    <Badge look="good">{t("application.active")}</Badge>
  ) : (
    <Badge look="bad">{t("application.inactive")}</Badge>
  );
