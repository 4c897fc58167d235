import { describe } from './active-faults.ts'
import type { EngineName } from './engines.ts'
import type { RunOptions, RunResult } from './run.ts'

const FAULTS_SHOWN = 25
const LINES_SHOWN = 60
/** Faults that ended longer than this before the violation are omitted. */
const RECENT_MS = 600_000

/**
 * The report of a failing seed: the violation with details, the last faults, the end of the trace, and the command to
 * replay the seed.
 */
export function reportOf(engine: EngineName, result: RunResult, options: ReplayOptions = {}): string {
  const { seed, plan, violation, tail, simulatedMs } = result
  if (violation === null) return ''
  const faults = plan.faults
    .filter(({ fromMs, untilMs }) => fromMs < simulatedMs && untilMs > simulatedMs - RECENT_MS)
    .sort((a, b) => a.fromMs - b.fromMs)
    .slice(-FAULTS_SHOWN)
    .map((fault) => `  ${fault.id} ${describe(fault)}`)
  const facts = violation.facts === null ? [] : [JSON.stringify(violation.facts, null, 1)]
  return [
    `seed ${seed}: ${violation.message}`,
    ...facts,
    'faults before the violation:',
    ...faults,
    'trace:',
    ...tail.slice(-LINES_SHOWN).map((line) => `  ${line}`),
    `replay: ${replayCommand(engine, seed, options)}`,
  ].join('\n')
}

type ReplayOptions = Pick<RunOptions, 'hours' | 'connections'>

export function replayCommand(engine: EngineName, seed: number, options: ReplayOptions = {}): string {
  const { hours, connections } = options
  const more = (hours === undefined ? '' : ` --hours ${hours}`) + (connections ? ' --connections' : '')
  return `npm run test:simulation -- --engine ${engine} --seed ${seed}${more} --trace`
}
