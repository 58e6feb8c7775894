import { useQuery } from "@connectrpc/connect-query";
import { OrganizationState } from "@doorward/api/service/org/v2/organization_pb";
import { AuthenticationMethodType, type PendingInvitation } from "@doorward/api/service/user/v2/authentication_pb";
import { type HumanUser, type User, UserState } from "@doorward/api/service/user/v2/user_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { ActionButton } from "../../parts/action-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { formatExactly, toDate } from "../../text/format.ts";
import { useObstacleHere } from "./obstacle-here.ts";
import { useOrganization } from "./organization-name.tsx";
import { useUserCalls } from "./user-calls.ts";

interface Hindrance {
  readonly sentence: string;
  /** Ends it. */
  readonly action?: { readonly label: string; readonly run: () => Promise<unknown>; readonly done: string };
  /** Only some ways of signing in are closed. */
  readonly isPartial?: boolean;
}

/** Says whether the user can sign in, and if not, why and what ends that. */
export function AccountUse({ user }: { readonly user: User }) {
  const hindrances = useHindrances(user);
  const obstacle = useObstacleHere("user.write");
  const isHuman = user.type.case === "human";
  if (hindrances === undefined) return <span className="skeleton" />;
  if (hindrances.length === 0) {
    return <Notice kind="success">{isHuman ? t("user.use.works") : t("user.use.serviceWorks")}</Notice>;
  }
  const isPartial = hindrances.every((hindrance) => hindrance.isPartial === true);
  return (
    <Section title={isPartial ? t("user.use.partly") : isHuman ? t("user.use.not") : t("user.use.serviceNot")}>
      <ul className="hindrances">
        {hindrances.map(({ sentence, action }) => (
          <li key={sentence}>
            <span>{sentence}</span>
            {action && (
              <ActionButton run={action.run} done={action.done} disabledReason={obstacle}>
                {action.label}
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function useHindrances(user: User): readonly Hindrance[] | undefined {
  const calls = useUserCalls(user);
  const human = user.type.case === "human" ? user.type.value : undefined;
  const { userId } = user;
  const isHuman = human !== undefined;
  const methods = useQuery(UserService.method.listAuthenticationMethodTypes, { userId }, { enabled: isHuman });
  const factors = useQuery(UserService.method.listAuthenticationFactors, { userId }, { enabled: isHuman });
  const organization = useOrganization(user.details?.resourceOwner);
  if (isHuman && (methods.isPending || factors.isPending)) return undefined;
  const unlock = { label: t("user.action.unlock"), run: calls.unlock, done: t("user.unlock.done") };
  const found: Hindrance[] = [];
  if (user.state === UserState.LOCKED) found.push({ sentence: t("user.use.locked"), action: unlock });
  if (user.state === UserState.INACTIVE) {
    const label = t("user.action.reactivate");
    found.push({
      sentence: t("user.use.inactive"),
      action: { label, run: calls.reactivate, done: t("user.reactivate.done") },
    });
  }
  if (organization?.state === OrganizationState.INACTIVE) {
    found.push({ sentence: t("user.use.organization", { name: organization.name }) });
  }
  if (user.state === UserState.INITIAL) {
    const label = t("user.use.initialSend");
    found.push({
      sentence: [t("user.use.initial"), ...sentencesOf(methods.data?.invitation)].join(" "),
      action: { label, run: calls.initialize, done: t("user.invite.done") },
    });
  }
  // Setting up the account gives them a way to sign in and verifies the address.
  if (human === undefined || user.state === UserState.INITIAL) return found;
  return [
    ...found,
    ...hindrancesOfMethods(human, {
      isPasswordAlone: methods.data?.authMethodTypes.some(isOtherFirstFactor) === false,
      isWithoutMethod: methods.data?.authMethodTypes.length === 0,
      invitation: methods.data?.invitation,
      isFactorBlocked: factors.data?.result.some(({ blocked }) => blocked) === true,
      isLocked: user.state === UserState.LOCKED,
      calls,
    }),
  ];
}

/** Says when an invitation was issued, and until when it is valid. */
function sentencesOf(invitation: PendingInvitation | undefined): readonly string[] {
  const [issued, until] = [toDate(invitation?.creationDate), toDate(invitation?.expirationDate)];
  if (issued === undefined || until === undefined) return [];
  const isOver = until.getTime() <= Date.now();
  const values = { date: formatExactly(issued), until: formatExactly(until) };
  return [t(isOver ? "user.use.inviteExpired" : "user.use.invited", values)];
}

const isOtherFirstFactor = (type: AuthenticationMethodType): boolean =>
  type === AuthenticationMethodType.PASSKEY || type === AuthenticationMethodType.IDP;

function hindrancesOfMethods(
  { passwordBlocked, email, passwordChangeRequired }: HumanUser,
  found: {
    readonly isWithoutMethod: boolean;
    readonly invitation: PendingInvitation | undefined;
    /** The password is the only first factor. */
    readonly isPasswordAlone: boolean;
    readonly isFactorBlocked: boolean;
    readonly isLocked: boolean;
    readonly calls: ReturnType<typeof useUserCalls>;
  },
): Hindrance[] {
  const { calls } = found;
  const unlock = { label: t("user.action.unlock"), run: calls.unlock, done: t("user.unlock.done") };
  const list: Hindrance[] = [];
  if (found.isWithoutMethod) {
    const { invitation } = found;
    const isSent = invitation?.isReturned === false;
    const action = {
      label: t(isSent ? "user.invite.again" : "user.invite.send"),
      run: isSent ? calls.inviteAgain : calls.invite,
      done: t("user.invite.done"),
    };
    const [sentence = t("user.use.noMethod")] = sentencesOf(invitation);
    list.push({ sentence, action });
  }
  if (passwordBlocked !== undefined && !found.isLocked) {
    const sentence = found.isPasswordAlone ? t("user.use.passwordBlockedAlone") : t("user.use.passwordBlocked");
    list.push({ sentence, action: unlock, isPartial: !found.isPasswordAlone });
  }
  if (found.isFactorBlocked && !found.isLocked) {
    list.push({ sentence: t("user.use.factorBlocked"), action: unlock, isPartial: true });
  }
  if (email?.isVerified === false && !found.isWithoutMethod) {
    const action = { label: t("user.verify.send"), run: calls.verify, done: t("user.verify.done") };
    list.push({ sentence: t("user.use.emailUnverified", { email: email.email }), action, isPartial: true });
  }
  if (passwordChangeRequired) list.push({ sentence: t("user.use.passwordTemporary"), isPartial: true });
  return list;
}
