import { lazy, Suspense, useState } from "react";
import type { ApiCall } from "../api/call.ts";
import { t } from "../text/catalogue.ts";
import { Button } from "./button.tsx";
import { tell } from "./toast.tsx";

const ApiPanel = lazy(async () => ({ default: (await import("./api-panel.tsx")).ApiPanel }));

interface ApiButtonProps {
  /** Returns the calls to show; undefined when the form says what is missing. */
  readonly calls: () => readonly ApiCall[] | Promise<readonly ApiCall[] | undefined>;
}

/** Shows what a page reads, or what a form would change, as calls of the API. */
export function ApiButton({ calls }: ApiButtonProps) {
  const [shown, setShown] = useState<readonly ApiCall[]>();
  const show = async () => {
    try {
      setShown(await calls());
    } catch {
      tell(t("api.noChange"));
    }
  };
  return (
    <>
      <Button look="quiet" icon="code" onClick={() => void show()}>
        {t("api.title")}
      </Button>
      {shown && (
        <Suspense fallback={null}>
          <ApiPanel calls={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  );
}
