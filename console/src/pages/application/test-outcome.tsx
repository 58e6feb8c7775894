import type { JsonValue } from "@bufbuild/protobuf";
import type {
  FinishTestSignInResponse,
  TestedClaims,
  TestSignInError,
  TestSignInResult,
} from "@doorward/api/service/test_sign_in/v2/test_sign_in_pb";
import { Link } from "@tanstack/react-router";
import { linkTo } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { formatExactly } from "../../text/format.ts";
import { isMissing, meaningOf, whyOf } from "./claim-words.ts";

type Outcome = Exclude<FinishTestSignInResponse["outcome"], { case: undefined }>;

/** What an application would have got of a sign-in. */
export const TestOutcome = ({ outcome }: { readonly outcome: Outcome }) =>
  outcome.case === "error" ? <Failure error={outcome.value} /> : <Result result={outcome.value} />;

const Failure = ({ error: { error, description, reference } }: { readonly error: TestSignInError }) => (
  <Notice kind="error">
    <p>{t("application.test.failed")}</p>
    <p>
      <code>{error}</code> {description}
    </p>
    <p>
      <Link {...linkTo(`/activity/sign-ins?reference=${encodeURIComponent(reference)}`)}>{t("attempt.title")}</Link>
    </p>
  </Notice>
);

function Result({ result }: { readonly result: TestSignInResult }) {
  const { userId, scopes, hasRefreshToken, lifetime, idToken, accessToken, userinfo } = result;
  const name = userinfo?.claims?.["preferred_username"] ?? idToken?.claims?.["preferred_username"];
  return (
    <>
      <Notice kind="success">
        <p>{t("application.test.done")}</p>
        <p className="muted">{t("application.test.limits")}</p>
      </Notice>
      <Facts
        facts={[
          [
            t("attempt.who"),
            <Link key="user" {...linkTo(`/users/${userId}`)}>
              {typeof name === "string" ? name : userId}
            </Link>,
          ],
          [t("application.test.granted"), <code key="scopes">{scopes.join(" ")}</code>],
          [t("application.test.lifetime"), lifetime && `${lifetime.seconds} s`],
          [t("application.test.refresh"), hasRefreshToken ? t("activity.yes") : t("activity.no")],
        ]}
      />
      {idToken && <Claims title={t("settings.tokens.id")} tested={idToken} />}
      {accessToken && <Claims title={t("settings.tokens.access")} tested={accessToken} />}
      {userinfo && <Claims title="UserInfo" tested={userinfo} />}
    </>
  );
}

function Claims({ title, tested }: { readonly title: string; readonly tested: TestedClaims }) {
  const { algorithm, claims = {}, notes } = tested;
  return (
    <Section title={title} actions={algorithm !== "" && <Badge>{algorithm}</Badge>}>
      <div className="claims">
        <Table
          label={title}
          rows={notes}
          rowKey={({ name }) => name}
          empty={<p className="muted">{t("application.test.opaque")}</p>}
          columns={[
            {
              key: "name",
              header: t("application.test.claim"),
              cell: ({ name }) => <code className="claim">{name}</code>,
            },
            {
              key: "value",
              header: t("activity.value"),
              cell: (note) =>
                isMissing(note) ? (
                  <span className="muted">–</span>
                ) : (
                  <ClaimValue name={note.name} value={claims[note.name]} />
                ),
            },
            {
              key: "why",
              header: t("attempt.why"),
              cell: (note) => (
                <>
                  {isMissing(note) ? <span className="muted">{whyOf(note)}</span> : whyOf(note)}
                  <span className="subtitle">{meaningOf(note.name)}</span>
                </>
              ),
            },
          ]}
        />
      </div>
    </Section>
  );
}

/** Returns a value as it is read best: a short one on one line. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  const line = JSON.stringify(value);
  return line.length <= 60 ? line : JSON.stringify(value, null, 1);
}

const instants = new Set(["exp", "iat", "nbf", "auth_time", "updated_at"]);

function ClaimValue({ name, value = "" }: { readonly name: string; readonly value: JsonValue | undefined }) {
  return (
    <>
      <code className="claim">{textOf(value)}</code>
      {instants.has(name) && typeof value === "number" && (
        <span className="subtitle">{formatExactly(new Date(value * 1000))}</span>
      )}
    </>
  );
}
