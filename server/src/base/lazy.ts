/**
 * Returns a function that creates a value on its first call, and returns the same value from then on. What could not be
 * created is not kept: a promise that is rejected is forgotten, and the next call tries again.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const one = { value: make() };
    made = one;
    if (one.value instanceof Promise) {
      one.value.catch(() => {
        if (made === one) made = undefined;
      });
    }
    return one.value;
  };
}
