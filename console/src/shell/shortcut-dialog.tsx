import { Fragment } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { t } from "../text/catalogue.ts";
import { areas } from "./areas.ts";
import { keyOf } from "./shortcuts.ts";

interface ShortcutDialogProps {
  readonly hasSingleKeys: boolean;
  readonly onSingleKeys: (hasSingleKeys: boolean) => void;
  readonly onClose: () => void;
}

/** Shows the keys of the console, and turns off those that need neither Ctrl nor Cmd. */
export function ShortcutDialog({ hasSingleKeys, onSingleKeys, onClose }: ShortcutDialogProps) {
  const all: readonly (readonly [keys: readonly string[], effect: string])[] = [
    [[keyOf("K")], t("palette.label")],
    [[keyOf("Enter")], t("keys.send")],
    ...areas.map(({ key, text }) => [["g", key], t(text)] as const),
    [["?"], t("keys.title")],
  ];
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      <dl className="shortcuts">
        {all.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && " "}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <div className="field check">
        <input
          id="single-keys"
          type="checkbox"
          checked={hasSingleKeys}
          aria-describedby="single-keys-hint"
          onChange={({ target }) => onSingleKeys(target.checked)}
        />
        <label htmlFor="single-keys">{t("keys.single")}</label>
        <p className="hint" id="single-keys-hint">
          {t("keys.single.hint")}
        </p>
      </div>
    </Dialog>
  );
}
