import { createClient } from "@connectrpc/connect";
import { createQueryOptions, useTransport } from "@connectrpc/connect-query";
import { SavedViewService } from "@doorward/api/service/saved_view/v2/saved_view_service_pb";
import { SearchService } from "@doorward/api/service/search/v2/search_service_pb";
import { useQueryClient } from "@tanstack/react-query";
import { useAddress } from "../address.ts";
import { addressOfView, readViews, viewsStaleTime } from "../api/saved-views.ts";
import { lists } from "../lists.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type Choice, Picker } from "../parts/picker.tsx";
import { t } from "../text/catalogue.ts";
import { useOrganizationId } from "./access.ts";
import { areas } from "./areas.ts";
import { addressOf, kindTexts } from "./search-results.ts";

/** Pages that an action begins with, by name. */
const actions = [
  { id: "/applications/new", text: "palette.newApplication" },
  { id: "/users/new", text: "palette.newUser" },
  { id: "/users/new-service-account", text: "user.list.createService" },
  { id: "/organizations/new", text: "palette.newOrganization" },
  { id: "/administrators/new", text: "administrator.add" },
  { id: "/automation/targets/new", text: "palette.newTarget", words: "webhook" },
  { id: "/tools/request", text: "request.title" },
  { id: "/tools/explain", text: "palette.explain" },
  { id: "/tools/import/users", text: "import.users" },
  { id: "/tools/import/organizations", text: "import.organizations" },
] as const;

/** Pages below an area. One is called by another word as well, in every language. */
const others = [
  { id: "/users/groups", text: "user.groups" },
  { id: "/automation", text: "automation.targets", words: "webhook" },
  { id: "/automation/executions", text: "automation.executions" },
  { id: "/activity/sign-ins", text: "attempt.title" },
  { id: "/tools", text: "tool.inspector" },
  { id: "/tools/jobs", text: "job.title" },
  { id: "/tools/import", text: "import.title" },
] as const;

/** The pages of settings. Their names come with what the pages need, which is loaded once a text is searched. */
async function findSettings(isInstance: boolean): Promise<readonly Named[]> {
  const { settingsLinks } = await import("../pages/settings/settings-links.ts");
  return settingsLinks(isInstance).map(({ to, title }) => ({ id: to, name: t(title), detail: t("nav.settings") }));
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly words?: string;
}

/** Returns what finds the views that the user saved. Without them the palette has everything else. */
function useFindViews(): () => Promise<readonly Named[]> {
  const queries = useQueryClient();
  const transport = useTransport();
  return async () => {
    const options = createQueryOptions(SavedViewService.method.listSavedViews, {}, { transport });
    const found = await queries
      .fetchQuery({ ...options, staleTime: viewsStaleTime, retry: false })
      .catch(() => undefined);
    return readViews(found?.views ?? []).map((view) => ({
      id: addressOfView(view),
      name: view.name,
      detail: `${t("view.one")} · ${t(lists[view.list].title)}`,
    }));
  };
}

/** Whether what is typed is a word, or its beginning, or its plural. */
const isWordOf = (words: string, wanted: string): boolean =>
  words !== "" && wanted !== "" && (words.includes(wanted) || wanted === `${words}s`);

/** Leads anywhere by a few letters: to areas, actions and views of the console, and to whatever the server finds. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { go } = useAddress();
  const organizationId = useOrganizationId() ?? "";
  const client = createClient(SearchService, useTransport());
  const findViews = useFindViews();
  const pages: readonly Named[] = [
    ...areas.map(({ to, text }) => ({ id: to, name: t(text), detail: t("palette.page") })),
    ...others.map(({ id, text, ...more }) => ({ id, name: t(text), detail: t("palette.page"), ...more })),
    ...actions.map(({ id, text, ...more }) => ({ id, name: t(text), detail: t("palette.action"), ...more })),
  ];
  const find = async (text: string): Promise<readonly Choice[]> => {
    const wanted = text.toLowerCase();
    const settings = text === "" ? [] : await findSettings(organizationId === "");
    const found = [...pages, ...(await findViews()), ...settings]
      .filter(({ name, words = "" }) => name.toLowerCase().includes(wanted) || isWordOf(words, wanted))
      .map(({ id, name, detail }) => ({ id, name, detail }));
    if (text === "") return found;
    const { results } = await client.search({ text, organizationId });
    return [
      ...found,
      ...results.flatMap((result) => {
        const address = addressOf(result);
        const kind = kindTexts[result.kind];
        const detail = [kind && t(kind), result.detail, result.organizationName].filter(Boolean).join(" · ");
        return address === undefined ? [] : [{ id: address, name: result.name || result.id, detail }];
      }),
    ];
  };
  return (
    <Dialog title={t("palette.label")} onClose={onClose}>
      <Picker
        label={t("palette.hint")}
        queryKey="palette"
        chosen={undefined}
        onChoose={(choice) => {
          if (choice === undefined) return;
          onClose();
          go(choice.id);
        }}
        find={find}
      />
    </Dialog>
  );
}
