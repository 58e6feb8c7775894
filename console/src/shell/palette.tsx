import { useState } from "react";
import { useAddress } from "../address.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type Choice, Picker } from "../parts/picker.tsx";
import { t } from "../text/catalogue.ts";
import { areas } from "./areas.ts";

/** Leads anywhere by a few letters: to areas of the console and their actions. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { go } = useAddress();
  const [chosen, setChosen] = useState<Choice>();
  const entries = areas.map(({ to, text }) => ({ id: to, name: t(text) }));
  return (
    <Dialog title={t("palette.label")} onClose={onClose}>
      <Picker
        label={t("palette.hint")}
        queryKey="palette"
        chosen={chosen}
        onChoose={(choice) => {
          setChosen(choice);
          if (choice === undefined) return;
          onClose();
          go(choice.id);
        }}
        find={async (text) => entries.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))}
      />
    </Dialog>
  );
}
