import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'

const RECIPE = new URL('../../n8n/recipes/weekly-digest.json', import.meta.url)

type Week = {
  readonly reviews: number
  readonly average_stars: number | null
  readonly bug_reports: number
  readonly feature_requests: number
  readonly themes: readonly { readonly theme: string; readonly count: number }[]
  readonly requested_features: readonly { readonly feature_slug: string; readonly count: number }[]
}

const EMPTY: Week = {
  ...{ reviews: 0, average_stars: null, bug_reports: 0, feature_requests: 0 },
  ...{ themes: [], requested_features: [] },
}

/** The message of the recipe, with its expressions evaluated as n8n does. */
function digest(thisWeek: Week, lastWeek: Week): string {
  const { nodes } = JSON.parse(readFileSync(RECIPE, 'utf8')) as { nodes: { parameters: { text?: string } }[] }
  const text = nodes.find(({ parameters }) => parameters.text !== undefined)?.parameters.text ?? ''
  const context = { $: () => ({ item: { json: thisWeek } }), $json: lastWeek }
  return text.slice(1).replaceAll(/\{\{(.+?)\}\}/gs, (_, code) => String(runInNewContext(code, context)))
}

test('the weekly digest shows no figure of a week without reviews, and no empty list', () => {
  const week: Week = {
    ...{ reviews: 3, average_stars: 4.5, bug_reports: 1, feature_requests: 1 },
    themes: [{ theme: 'stability_crash', count: 2 }],
    requested_features: [{ feature_slug: 'dark-mode', count: 1 }],
  }
  const title = '*App reviews of the last 7 days*'
  assert.deepEqual(digest(week, EMPTY).split('\n'), [
    title,
    '3 reviews (before: 0), 4.50 stars on average',
    '1 bug reports, 1 feature requests',
    '*Themes:* stability crash (2)',
    '*Requested:* dark-mode (1)',
  ])
  assert.match(digest(week, { ...week, average_stars: 4 }), /4\.50 stars on average \(before: 4\.00\)\n/)
  assert.deepEqual(digest(EMPTY, week).split('\n'), [
    title,
    '0 reviews (before: 3)',
    '0 bug reports, 0 feature requests',
  ])
})
