import { useQuery } from "@connectrpc/connect-query";
import {
  type SignInAttempt,
  SignInOutcome,
  type SignInStep,
} from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_pb";
import { SignInAttemptService } from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_service_pb";
import { Link } from "@tanstack/react-router";
import { linkTo, useAddress } from "../../address.ts";
import { Copyable } from "../../parts/copyable.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Facts, Page, Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { formatExactly, toDate } from "../../text/format.ts";
import { Result } from "./attempt-cells.tsx";
import { checkOf, decisionOf, deviceOf, isUnknownName, outcomeOf, whoOf } from "./words.ts";

/** One attempt to sign in: its steps, and what decided about each. */
export function AttemptPage() {
  const { attemptId = "" } = useAddress().params;
  const { data, error } = useQuery(SignInAttemptService.method.getSignInAttempt, { id: attemptId });
  const attempt = data?.attempt;
  const parent = { to: "/activity/sign-ins", label: t("attempt.title") };
  if (attempt === undefined) {
    return (
      <Page title={t("attempt.one")} parent={parent}>
        {error ? <ErrorNotice error={error} /> : <span className="skeleton" />}
      </Page>
    );
  }
  return (
    <Page title={whoOf(attempt)} parent={parent} badges={<Result of={attempt} />} lead={leadOf(attempt)}>
      <Section title={t("attempt.steps")}>
        <ol className="steps">
          {attempt.steps.map((step, index) => (
            // Steps are only added, so that a place in the list is always the same step.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Step key={index} of={step} attempt={attempt} />
          ))}
        </ol>
      </Section>
      <Section title={t("attempt.facts")}>
        <Facts facts={factsOf(attempt)} />
        <p className="links">
          {attempt.user && <Link {...linkTo(`/activity/sign-ins?user=${attempt.user.id}`)}>{t("attempt.ofUser")}</Link>}
          {attempt.application && (
            <Link {...linkTo(`/activity/sign-ins?${clientOf(attempt.application.clientId)}`)}>
              {t("attempt.ofApplication")}
            </Link>
          )}
        </p>
      </Section>
    </Page>
  );
}

const clientOf = (client: string): string => new URLSearchParams({ client }).toString();

const leadOf = (attempt: SignInAttempt): string | undefined =>
  isUnknownName(attempt) ? t("attempt.notKept") : attempt.user?.preferredLoginName;

const icons: Readonly<Partial<Record<SignInOutcome, IconName>>> = {
  [SignInOutcome.PASSED]: "check",
  [SignInOutcome.ASKED]: "circle",
};

function Step({ of: step, attempt }: { readonly of: SignInStep; readonly attempt: SignInAttempt }) {
  const decision = decisionOf(attempt, step);
  const date = toDate(step.date);
  return (
    <li className={step.outcome === SignInOutcome.PASSED ? "done" : undefined}>
      <Icon name={icons[step.outcome] ?? "close"} />
      <span>{t("attempt.reason", { check: checkOf(step), outcome: outcomeOf(step) })}</span>
      {decision &&
        (decision.to === undefined ? (
          <span className="muted">{decision.text}</span>
        ) : (
          <Link {...linkTo(decision.to)}>{decision.text}</Link>
        ))}
      {step.identityProviderId !== "" && (
        <span className="muted">{t("attempt.atProvider", { id: step.identityProviderId })}</span>
      )}
      {date && (
        <time dateTime={date.toISOString()} className="muted">
          {formatExactly(date)}
        </time>
      )}
    </li>
  );
}

function factsOf(attempt: SignInAttempt): readonly (readonly [string, React.ReactNode])[] {
  const { user, application, sessionId, reference, source, id } = attempt;
  return [
    [
      t("attempt.who"),
      user && (
        <Link key="who" {...linkTo(`/users/${user.id}`)}>
          {whoOf(attempt)}
        </Link>
      ),
    ],
    [
      t("attempt.application"),
      application &&
        (application.id === "" ? (
          application.name || application.clientId
        ) : (
          <Link key="application" {...linkTo(`/applications/${application.id}`)}>
            {application.name || application.clientId}
          </Link>
        )),
    ],
    [t("attempt.device"), deviceOf(attempt)],
    [t("attempt.source"), source],
    [
      t("attempt.session"),
      sessionId &&
        (user === undefined ? (
          sessionId
        ) : (
          <Link key="session" {...linkTo(`/users/${user.id}/sessions`)}>
            {sessionId}
          </Link>
        )),
    ],
    [t("attempt.reference"), <Copyable key="reference" value={reference} label={t("attempt.reference")} />],
    [t("attempt.id"), <Copyable key="id" value={id} label={t("attempt.id")} />],
  ];
}
