import { type SignInAttempt, SignInResult } from "@doorward/api/service/sign_in_attempt/v2/sign_in_attempt_pb";
import { Badge } from "../../parts/badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";
import { decidingStep, decisionOf, deviceOf, reasonOf, resultLooks, resultName, whoOf } from "./words.ts";

/** Returns the address of the page about one attempt. */
export const addressOf = ({ id }: SignInAttempt): string => `/activity/sign-ins/${id}`;

export const Result = ({ of: attempt }: { readonly of: SignInAttempt }) => {
  const name = resultName(attempt);
  return <Badge look={resultLooks[name]}>{t(`attempt.result.${name}`)}</Badge>;
};

/** Why an attempt failed, or failed before it signed its user in, and the setting that decided. */
function Reason({ of: attempt }: { readonly of: SignInAttempt }) {
  const reason = reasonOf(attempt);
  if (reason === undefined) return <span className="muted">–</span>;
  const step = decidingStep(attempt);
  const decision = step && decisionOf(attempt, step);
  return (
    <>
      {reason}
      {decision && <span className="subtitle">{decision.text}</span>}
      {attempt.result === SignInResult.SIGNED_IN && <span className="subtitle">{t("attempt.later")}</span>}
    </>
  );
}

export const who: Column<SignInAttempt> = {
  key: "who",
  header: t("attempt.who"),
  cell: (attempt) => (
    <>
      {whoOf(attempt)}
      {attempt.user && <span className="subtitle">{attempt.user.preferredLoginName}</span>}
    </>
  ),
};

export const result: Column<SignInAttempt> = {
  key: "result",
  header: t("attempt.result"),
  cell: (attempt) => <Result of={attempt} />,
};

export const reason: Column<SignInAttempt> = {
  key: "reason",
  header: t("attempt.why"),
  cell: (attempt) => <Reason of={attempt} />,
};

export const application: Column<SignInAttempt> = {
  key: "application",
  header: t("attempt.application"),
  cell: ({ application: of }) => (of === undefined ? <span className="muted">–</span> : of.name || of.clientId),
};

export const device: Column<SignInAttempt> = {
  key: "device",
  header: t("attempt.device"),
  isSecondary: true,
  cell: (attempt) => (
    <>
      {deviceOf(attempt)}
      {attempt.source !== "" && <span className="subtitle">{attempt.source}</span>}
    </>
  ),
};

export const when: Column<SignInAttempt> = {
  key: "when",
  header: t("attempt.when"),
  cell: ({ startDate }) => <Time at={startDate} />,
};
