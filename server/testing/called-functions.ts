/** Which functions of the program ran, by V8's call counts. */
import { Session } from 'node:inspector/promises';

type Ranges = { functionName: string; ranges: { count: number }[] };

/**
 * @param isMeant selects scripts by URL
 * @returns a function that ends the count and lists the named functions never called, as `file: name`
 */
export async function countCalls(isMeant: (url: string) => boolean): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    return result
      .filter(({ url }) => isMeant(url))
      .flatMap(({ url, functions }) =>
        (functions as Ranges[])
          .filter(({ functionName, ranges }) => /^\w+$/.test(functionName) && ranges[0]?.count === 0)
          .map(({ functionName }) => `${url.replace(/^.*\/build\//, '').replace(/\.js$/, '')}: ${functionName}`),
      )
      .sort();
  };
}
