import { useMutation } from "@connectrpc/connect-query";
import { type Domain, DomainValidationType } from "@doorward/api/service/org/v2/domain_pb";
import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { useEffect, useRef, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { tell } from "../../parts/toast.tsx";
import { t } from "../../text/catalogue.ts";
import { formatTime } from "../../text/format.ts";

/** Proves that an organization owns a domain: makes the record to publish, shows it, and looks for it. */
export function DomainProof({
  of: { organizationId, domain, validationType },
  onClose,
}: {
  readonly of: Domain;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const generate = useMutation(OrganizationService.method.generateOrganizationDomainValidation);
  const verify = useMutation(OrganizationService.method.verifyOrganizationDomain);
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly at: Date }>();
  const isAsked = validationType !== DomainValidationType.UNSPECIFIED || generate.isSuccess;
  const make = (type: DomainValidationType) => {
    setFailure(undefined);
    generate.mutate({ organizationId, domain, type }, { onSuccess: () => void refresh(OrganizationService) });
  };
  const onCheck = async () => {
    try {
      await verify.mutateAsync({ organizationId, domain });
    } catch (error) {
      setFailure({ error, at: new Date() });
      return;
    }
    await refresh(OrganizationService);
    tell(t("organization.domainProven", { domain }));
    onClose();
  };
  useRepeatedCheck(failure, onCheck);
  return (
    <Dialog
      title={t("organization.domainVerifyTitle", { domain })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("common.close")}</Button>
          <Button look="primary" disabled={!isAsked} isBusy={verify.isPending} onClick={() => void onCheck()}>
            {t("organization.domainCheck")}
          </Button>
        </>
      }
    >
      <p>{t("organization.proofLead")}</p>
      <div className="row-buttons">
        <Button isBusy={generate.isPending} onClick={() => make(DomainValidationType.DNS)}>
          {t("organization.proofDns")}
        </Button>
        <Button isBusy={generate.isPending} onClick={() => make(DomainValidationType.HTTP)}>
          {t("organization.proofHttp")}
        </Button>
      </div>
      {generate.isError && <ErrorNotice error={generate.error} />}
      {isAsked && !generate.isSuccess && <Notice>{t("organization.proofEarlier")}</Notice>}
      {generate.data && <ProofRecord type={generate.variables.type} {...generate.data} />}
      {failure && (
        <>
          <ErrorNotice error={failure.error} />
          <p className="muted">{t("organization.proofLater", { time: formatTime(failure.at) })}</p>
        </>
      )}
    </Dialog>
  );
}

const pause = 20_000;

/** After a check in vain, checks again while the dialog is open: records of DNS are not seen at once. */
function useRepeatedCheck(
  failure: { readonly error: unknown; readonly at: Date } | undefined,
  onCheck: () => Promise<void>,
): void {
  const check = useRef(onCheck);
  useEffect(() => {
    check.current = onCheck;
  });
  useEffect(() => {
    if (failure === undefined || problemOf(failure.error).id !== "organization.domain_unproven") return;
    const timer = setTimeout(() => void check.current(), pause);
    return () => clearTimeout(timer);
  }, [failure]);
}

/** What has to be published, and where. */
const ProofRecord = (props: {
  readonly type: DomainValidationType | undefined;
  readonly url: string;
  readonly token: string;
}) => (
  <Facts
    facts={
      props.type === DomainValidationType.DNS
        ? [
            [t("organization.proofType"), "TXT"],
            [t("organization.proofName"), <Value key="name" label="organization.proofName" value={props.url} />],
            [t("organization.proofValue"), <Value key="value" label="organization.proofValue" value={props.token} />],
          ]
        : [
            [t("organization.proofUrl"), <Value key="url" label="organization.proofUrl" value={props.url} />],
            [
              t("organization.proofContent"),
              <Value key="content" label="organization.proofContent" value={props.token} />,
            ],
          ]
    }
  />
);

const Value = (props: {
  readonly label:
    | "organization.proofName"
    | "organization.proofValue"
    | "organization.proofUrl"
    | "organization.proofContent";
  readonly value: string;
}) => <Copyable value={props.value} label={t(props.label)} />;
