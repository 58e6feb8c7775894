interface ChoiceBarProps<Value extends string> {
  /** What is chosen, for assistive technology. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** A choice among two or three, all of which are seen. It takes effect at once. */
export const ChoiceBar = <Value extends string>({ label, value, options, onChange }: ChoiceBarProps<Value>) => (
  <fieldset className="choice-bar">
    <legend className="only-read-aloud">{label}</legend>
    {options.map(([each, name]) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
        {name}
      </button>
    ))}
  </fieldset>
);
