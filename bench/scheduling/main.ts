import { parseArgs } from 'node:util'
import { createRandom } from '../../src/simulate/random.ts'
import { A_DAY_LATE, AT_ONCE, arrivalsOf, logNormalRate, type Publication, type Shape } from './arrivals.ts'
import { halvingRule, optimalRule, plannedRule } from './rules.ts'
import { type Result, type Rule, simulate } from './simulate.ts'

/**
 * Delays of reviews by scheduling rule, with synthetic arrivals and the request limit of one store. Prints for each case the rule
 * of the service, the earlier rule, and the optimum for known rates at as many requests as the service made. With `--floors`, the
 * service's rule with other shortest intervals, for ways in which a store may show reviews.
 */

const { values } = parseArgs({
  options: { days: { type: 'string', default: '30' }, floors: { type: 'boolean', default: false } },
})
const days = Number(values.days)
const REQUESTS_PER_DAY = 28_800
const REVIEWS_PER_DAY_MAX = 1_000
const BUSY_PER_DAY = 16

type Case = {
  readonly feeds: number
  readonly median: number
  readonly sigma: number
  readonly shape: Shape
}

const CASES: readonly Case[] = [
  { feeds: 500, median: 1, sigma: 1.5, shape: 'poisson' },
  { feeds: 500, median: 1, sigma: 1.5, shape: 'rhythm' },
  { feeds: 500, median: 1, sigma: 1.5, shape: 'releases' },
  { feeds: 1_000, median: 0.1, sigma: 1, shape: 'poisson' },
  { feeds: 5_000, median: 1, sigma: 1.5, shape: 'poisson' },
  { feeds: 5_000, median: 1, sigma: 1.5, shape: 'releases' },
  { feeds: 20_000, median: 0.1, sigma: 2, shape: 'poisson' },
]

if (values.floors) compareFloors()
else compareRules()

function feedsOf({ feeds, median, sigma, shape }: Case, publication: Publication) {
  const rng = createRandom(1).next
  return Array.from({ length: feeds }, () => {
    const perDay = Math.min(REVIEWS_PER_DAY_MAX, logNormalRate(median, sigma, rng))
    return arrivalsOf(perDay, shape, days * 24, rng, publication)
  })
}

function compareRules(): void {
  for (const one of CASES) {
    const { feeds, median, sigma, shape } = one
    const arrivals = feedsOf(one, A_DAY_LATE)
    const run = (rule: Rule) =>
      simulate(arrivals, rule, { hours: days * 24, requestsPerDay: REQUESTS_PER_DAY })
    const halving = run(halvingRule(feeds))
    const planned = run(plannedRule(feeds, REQUESTS_PER_DAY))
    const optimal = run(optimalRule(arrivals, planned.requests / days))
    console.log(
      `\n${feeds} feeds, median ${median} reviews per day (sigma ${sigma}), ${shape}, ${planned.reviews} reviews`,
    )
    print('halving', halving)
    print('planned', planned)
    print('optimal', optimal)
    console.log(`planned / optimal: ${(planned.meanDelayMinutes / optimal.meanDelayMinutes).toFixed(2)}`)
  }
}

/** Of all feeds, and of those with 16 reviews a day or more, whose intervals a floor of an hour changes. */
function compareFloors(): void {
  const publications = {
    'at once': AT_ONCE,
    'a day late': A_DAY_LATE,
    'in hourly batches': { ...A_DAY_LATE, batchHours: 1 },
  }
  for (const one of CASES.slice(0, 3))
    for (const [name, publication] of Object.entries(publications)) {
      const all = feedsOf(one, publication)
      const busy = all.filter(({ perDay }) => perDay >= BUSY_PER_DAY)
      console.log(`\n${one.feeds} feeds, ${one.shape}, ${busy.length} busy; reviews are shown ${name}`)
      for (const minutes of [15, 30, 60])
        for (const [feeds, which] of [
          [all, 'all '],
          [busy, 'busy'],
        ] as const) {
          const rule = plannedRule(feeds.length, REQUESTS_PER_DAY, minutes * 60_000)
          print(
            `${minutes} min, ${which}`,
            simulate(feeds, rule, { hours: days * 24, requestsPerDay: REQUESTS_PER_DAY }),
          )
        }
    }
}

function print(rule: string, result: Result): void {
  const cells = [
    `mean ${result.meanDelayMinutes.toFixed(0).padStart(4)} min`,
    `p95 ${result.p95DelayMinutes.toFixed(0).padStart(4)} min`,
    `${(result.requests / days).toFixed(0).padStart(6)} requests/day`,
    `longest interval ${result.longestHours.toFixed(0)} h`,
  ]
  console.log(`  ${rule}  ${cells.join('  ')}`)
}
