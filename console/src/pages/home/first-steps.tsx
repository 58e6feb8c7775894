import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { MilestoneType } from "@doorward/api/service/milestone/v1/milestone_pb";
import { EmailProviderState } from "@doorward/api/service/settings/v1/email_pb";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/page.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";

interface Step {
  readonly text: TextKey;
  readonly to: string;
  /** Undefined until it is known. */
  readonly isDone: boolean | undefined;
}

/** What a new instance needs. Each step is found to be done by what the server has; nothing is ticked by hand. */
export function FirstSteps() {
  const milestones = useQuery(AdminService.method.listMilestones, {}, { refetchInterval: 10_000 }).data?.result;
  const mail = useQuery(AdminService.method.listEmailProviders, {}).data?.result;
  const owners = useQuery(InternalPermissionService.method.listAdministrators, {
    pagination: { limit: 2 },
    filters: [{ filter: { case: "resource", value: { resource: { case: "instance", value: true } } } }],
  }).data?.pagination?.totalResult;
  const reached = (type: MilestoneType): boolean | undefined =>
    milestones?.some((milestone) => milestone.type === type && milestone.reachedDate !== undefined);
  const steps: readonly Step[] = [
    { text: "home.step.application", to: "/applications/new", isDone: reached(MilestoneType.APPLICATION_CREATED) },
    {
      text: "home.step.signIn",
      to: "/applications",
      isDone: reached(MilestoneType.AUTHENTICATION_SUCCEEDED_ON_APPLICATION),
    },
    {
      text: "home.step.mail",
      to: "/settings/mail",
      isDone: mail?.some(({ state }) => state === EmailProviderState.EMAIL_PROVIDER_ACTIVE),
    },
    {
      text: "home.step.administrator",
      to: "/administrators/new",
      isDone: owners === undefined ? undefined : owners > 1n,
    },
  ];
  if (steps.every(({ isDone }) => isDone === true)) return null;
  return (
    <Section title={t("home.steps")}>
      <ol className="steps">
        {steps.map(({ text, to, isDone }) => (
          <li key={text} className={isDone ? "done" : undefined}>
            <Icon name={isDone ? "check" : "circle"} />
            <Link to={to as "/"}>{t(text)}</Link>
            {isDone && <span className="muted">{t("home.step.done")}</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
