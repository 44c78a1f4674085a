/**
 * Removes the holes at the start of a result. If an answer fails after its first rows, because of an error in a later row,
 * a timeout or a connection loss, the driver (3.4.9) keeps the number of these rows. The rows of the next answer on that
 * connection then begin at this index. (github.com/porsager/postgres, issues 1119 and 1181)
 */
export function removeHoles(query: { resolve: (result: unknown) => unknown }): void {
  const { resolve } = query;
  query.resolve = (result) => {
    if (Array.isArray(result) && result.length > 0 && !(0 in result)) result.splice(0, Number(Object.keys(result)[0]));
    return resolve(result);
  };
}
