/** Returns the name that takes the fewest edits to reach (Levenshtein). `names` is not empty. */
export function nearestName(given: string, names: readonly string[]): string {
  const distances = names.map((name) => ({ name, distance: distance(given, name) }));
  return distances.reduce((best, one) => (one.distance < best.distance ? one : best)).name;
}

function distance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
