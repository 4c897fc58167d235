import type { MonthResult } from './run-month.ts'

const DAY_MS = 86_400_000

export function monthReport(name: string, result: MonthResult): string {
  const requests = Object.entries(result.requests).map(([source, count]) => `${source} ${count}`)
  const warnings = result.warnings.map(({ event, source, fault, atMs }) => {
    const first = new Date(atMs[0] ?? 0).toISOString().slice(0, 16)
    return `    ${atMs.length} x ${event} ${source} ${fault}, first at ${first}`
  })
  const reported = Object.entries(result.reportedAfterMs).map(
    ([change, ms]) => `    ${change}: ${ms === null ? 'never' : `${((ms / DAY_MS) * 24).toFixed(1)} h`}`,
  )
  return [
    `${name}: ${result.total} requests in ${result.polls} polls (${requests.join(', ')})`,
    `  ${result.reviews} reviews, ${result.lost.length} lost, ${result.repeated} repeated; events ${result.meanDelayMinutes.toFixed(0)} min after the store shows them (mean), ${result.p95DelayMinutes.toFixed(0)} min (p95)`,
    `  by day: ${result.daily.join(' ')}; throttled ${result.throttles} times`,
    `  warnings:`,
    ...warnings,
    `  from a change to its first warning:`,
    ...reported,
    `  ${result.faultyFeeds} feeds store a fault of their own`,
    `  at the end: ${result.health.map(({ source, state, fault }) => `${source} ${state}${fault === null ? '' : ` (${fault})`}`).join(', ')}`,
  ].join('\n')
}
