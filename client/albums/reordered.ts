/** A page's images after the one at `from` is put before the one at `place`. */
export function reordered<Item>(images: readonly Item[], from: number, place: number): Item[] {
  const rest = images.filter((_, index) => index !== from);
  rest.splice(place > from ? place - 1 : place, 0, ...images.slice(from, from + 1));
  return rest;
}
