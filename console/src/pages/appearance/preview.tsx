import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { type CreatePreviewRequestSchema, PreviewTheme } from "@doorward/api/service/appearance/v2/appearance_pb";
import { AppearanceService } from "@doorward/api/service/appearance/v2/appearance_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useEffect, useState } from "react";
import { ChoiceBar } from "../../parts/choice-bar.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

type Request = MessageInitShape<typeof CreatePreviewRequestSchema>;

interface PreviewProps {
  readonly subject: Request["subject"];
  readonly language: string;
  readonly look?: Request["look"];
  readonly isActive?: boolean;
  /** What is chosen besides theme and width, and what can be done with what is shown. */
  readonly children?: ReactNode;
}

const pause = 300;
// Addresses of previews end after five minutes.
const keptFor = 240_000;

/** The real page or message, beside the form that changes it, with what is typed and not saved yet. */
export function Preview({ subject, language, look, isActive = false, children }: PreviewProps) {
  const organizationId = useOrganizationId() ?? "";
  const [theme, setTheme] = useState<"light" | "dark">(prefersDark() ? "dark" : "light");
  const [width, setWidth] = useState<"phone" | "desk">("phone");
  const request: Request = {
    organizationId,
    subject: subject ?? { case: undefined },
    language,
    isActive,
    ...(look && { look }),
    theme: theme === "dark" ? PreviewTheme.DARK : PreviewTheme.LIGHT,
  };
  const settled = useSettled(request);
  const made = useQuery(AppearanceService.method.createPreview, settled, {
    placeholderData: keepPreviousData,
    staleTime: keptFor,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return (
    <section className="preview" aria-label={t("appearance.preview")}>
      <div className="preview-bar">
        {children}
        <ChoiceBar
          label={t("appearance.preview.theme")}
          value={theme}
          options={[
            ["light", t("appearance.theme.light")],
            ["dark", t("appearance.theme.dark")],
          ]}
          onChange={setTheme}
        />
        <ChoiceBar
          label={t("appearance.preview.width")}
          value={width}
          options={[
            ["phone", t("appearance.preview.phone")],
            ["desk", t("appearance.preview.desk")],
          ]}
          onChange={setWidth}
        />
      </div>
      {made.isError && <ErrorNotice error={made.error} />}
      <div className={`preview-stage ${width}`} aria-busy={made.isFetching || undefined}>
        {made.data && <Frames path={made.data.path} />}
      </div>
    </section>
  );
}

/** Whether a page is shown as it answers a mistake of the user. */
export const ErrorsChoice = (props: { readonly value: boolean; readonly onChange: (hasErrors: boolean) => void }) => (
  <label className="choice small">
    <input type="checkbox" checked={props.value} onChange={(event) => props.onChange(event.target.checked)} />
    {t("appearance.preview.errors")}
  </label>
);

// The former page stays until the next one has loaded, so that nothing flickers while the user types.
function Frames({ path }: { readonly path: string }) {
  const [shown, setShown] = useState(path);
  const paths = shown === path ? [path] : [shown, path];
  const onLoad = (loaded: string) => (event: SyntheticEvent<HTMLIFrameElement>) => {
    const former = event.currentTarget.parentElement?.querySelector("iframe");
    if (former && former !== event.currentTarget) {
      event.currentTarget.contentWindow?.scrollTo(0, former.contentWindow?.scrollY ?? 0);
    }
    setShown(loaded);
  };
  return paths.map((each) => (
    <iframe
      key={each}
      src={each}
      title={t("appearance.preview.frame")}
      sandbox="allow-same-origin"
      className={each === shown ? undefined : "loading"}
      aria-hidden={each === shown ? undefined : true}
      onLoad={onLoad(each)}
    />
  ));
}

const prefersDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;

/** Returns a value once it has not changed for a moment, so that each key is not a request. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says whether the value differs
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
