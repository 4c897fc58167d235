/** The long text of a measurement has this many times the characters of the short one. */
export const LONG = 4
/** Linear reading takes 4 times as long for 4 times the text, quadratic 16 times. */
export const RATIO_MAX = 8
/** A ratio above this is measured again with more runs: another process may have slowed this one. */
const RETRIES = 4

type Read = (text: string) => unknown

/**
 * How many times as long the long text takes. `floorMs`: the minimum time assumed for the short text; below it clock and garbage collector
 * dominate. A long text that is quick enough even so is not compared: 0.
 */
export async function growthOf(read: Read, short: string, long: string, floorMs: number): Promise<number> {
  if ((await fastestMs(read, long, 1)) <= RATIO_MAX * floorMs) return 0
  let ratio = Number.POSITIVE_INFINITY
  for (let retry = 0; ratio > RATIO_MAX && retry <= RETRIES; retry += 1) {
    const runs = Math.max(1, 2 * retry)
    const shortMs = Math.max(floorMs, await fastestMs(read, short, runs))
    ratio = Math.min(ratio, (await fastestMs(read, long, runs)) / shortMs)
  }
  return ratio
}

/**
 * The minimum processor time of some runs. By the clock a long run on a busy machine would contain the turns of other processes, and a
 * short one would not.
 */
async function fastestMs(read: Read, text: string, runs: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const started = process.cpuUsage()
    await read(text)
    const { user, system } = process.cpuUsage(started)
    fastest = Math.min(fastest, (user + system) / 1_000)
  }
  return fastest
}
