import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { TextFilterMethod } from "@doorward/api/service/filter/v2/filter_pb";
import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { FilterBar, FilterChoice } from "../../parts/filter-bar.tsx";
import { useFinders } from "../../parts/finders.ts";
import { type Choice, Picker } from "../../parts/picker.tsx";
import { t } from "../../text/catalogue.ts";
import { recentNames } from "../activity/period.ts";
import { resultChoices } from "./words.ts";

/** The filters of the list: reference, result, user, application, and when. All are in the address. */
export function AttemptFilters() {
  const { search, setSearch } = useAddress();
  const { reference = "", result = "", period = "" } = search;
  return (
    <FilterBar
      label={t("attempt.findReference")}
      text={reference}
      onText={(next) => setSearch({ reference: next })}
      list="attempts"
    >
      <FilterChoice
        label={t("attempt.result")}
        value={result}
        options={resultChoices.map((name) => [name, t(`attempt.result.${name}`)] as const)}
        onChange={(next) => setSearch({ result: next })}
      />
      <Who />
      <Application />
      <FilterChoice
        label={t("attempt.when")}
        value={period}
        options={recentNames.map((each) => [each, t(`activity.period.${each}`)] as const)}
        onChange={(next) => setSearch({ period: next })}
      />
    </FilterBar>
  );
}

function Who() {
  const { search, setSearch } = useAddress();
  const { findUsers, readUser } = useFinders();
  const { user } = search;
  // The address has the id alone.
  const named = useQuery({
    queryKey: ["user of the address", user],
    queryFn: () => readUser(user ?? ""),
    enabled: user !== undefined,
  });
  const chosen: Choice | undefined = user === undefined ? undefined : (named.data ?? { id: user, name: user });
  return (
    <Picker
      label={t("attempt.who")}
      queryKey="user"
      chosen={chosen}
      onChoose={(choice) => setSearch({ user: choice?.id ?? "" })}
      find={findUsers}
    />
  );
}

function Application() {
  const { search, setSearch } = useAddress();
  const client = createClient(ApplicationService, useTransport());
  const find = async (text: string): Promise<readonly Choice[]> => {
    const value = { name: text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
    const { applications } = await client.listApplications({
      pagination: { limit: 10 },
      filters: text === "" ? [] : [{ filter: { case: "nameFilter", value } }],
    });
    return applications.flatMap(({ name, configuration: { value: of } }) =>
      of !== undefined && "clientId" in of ? [{ id: of.clientId, name, detail: of.clientId }] : [],
    );
  };
  const { client: clientId } = search;
  const named = useQuery({
    queryKey: ["client of the address", clientId],
    queryFn: async () => {
      const filters = [{ filter: { case: "clientIdFilter", value: { clientId: clientId ?? "" } } } as const];
      return (await client.listApplications({ pagination: { limit: 1 }, filters })).applications[0]?.name ?? null;
    },
    enabled: clientId !== undefined,
  });
  const chosen = clientId === undefined ? undefined : { id: clientId, name: named.data ?? clientId };
  return (
    <Picker
      label={t("attempt.application")}
      queryKey="client"
      chosen={chosen}
      onChoose={(choice) => setSearch({ client: choice?.id ?? "" })}
      find={find}
    />
  );
}
