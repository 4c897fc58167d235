import { htmlEscape as text } from '../../src/pipeline/targets/escapes.ts'
import { ARABIC, BUG, DROP, PRAISE } from '../message-pictures/examples.ts'
import { filled, nodeOf, type Recipe } from './recipe.ts'

/** What each recipe makes of invented events, from the expressions of its nodes. */

const SHORT = { ...BUG, body: BUG.body.split('\n')[0], review_id: '11234567890' }

export function slackAndIssue(recipe: Recipe): string {
  const issue = nodeOf(recipe, 'Create Issue').parameters
  return (
    slack(filled(nodeOf(recipe, 'Post to Slack').parameters.text, SHORT)) +
    panel(
      'GitHub issue',
      `<b>${text(filled(issue.title, SHORT))}</b> <span class="label">app-review</span><pre>${text(filled(issue.body, SHORT))}</pre>`,
    )
  )
}

export function incidents(recipe: Recipe): string {
  const rows = [
    ['Page for Rating Drop', DROP],
    ['Page for Review', ARABIC],
  ] as const
  return panel(
    'PagerDuty incidents',
    rows
      .map(([name, event]) => {
        const { payload, dedup_key } = JSON.parse(filled(nodeOf(recipe, name).parameters.jsonBody, event))
        return `<div class="row"><span class="label">${text(payload.severity)}</span> <b>${text(payload.summary)}</b><div class="small">${text(payload.source)} · dedup_key ${text(dedup_key.slice(0, 12))}…</div></div>`
      })
      .join(''),
  )
}

const WEEK = {
  reviews: 214,
  average_stars: 3.42,
  bug_reports: 31,
  feature_requests: 27,
  themes: [
    { theme: 'stability_crash', count: 29 },
    { theme: 'login_account', count: 17 },
    { theme: 'ui_ux', count: 12 },
  ],
  requested_features: [
    { feature_phrase: 'Lock screen widget', count: 9 },
    { feature_phrase: 'Dark mode', count: 6 },
  ],
}
const WEEK_BEFORE = { ...WEEK, reviews: 188, average_stars: 3.71 }

export function weeklyDigest(recipe: Recipe): string {
  return slack(filled(nodeOf(recipe, 'Post Digest').parameters.text, WEEK_BEFORE, { 'This Week': WEEK }))
}

export function sheetRows(recipe: Recipe): string {
  const { value } = nodeOf(recipe, 'Append Row').parameters.columns as { value: Record<string, string> }
  const shown = ['date', 'feature', 'key', 'stars', 'summary', 'language', 'country']
  const events = [
    PRAISE,
    {
      ...PRAISE,
      rating: 4,
      country: 'de',
      enrichment: {
        ...PRAISE.enrichment,
        language: 'de',
        feature_phrase: 'Widget für den Sperrbildschirm',
        summary_en: 'Likes the app; misses a widget on the lock screen.',
      },
    },
  ]
  return panel(
    'Google sheet',
    table(
      shown,
      events.map((event) => shown.map((name) => filled(value[name], event).slice(0, 60))),
    ),
  )
}

/** The steps of docs/how-to/bigquery.md, and the answer to its query. */
export function bigquery(): string {
  const steps = ['GET /api/v1/exports/reviews', 'bq load radar.reviews_new', 'merge into radar.reviews']
  const line = steps.map((step) => `<code class="step">${text(step)}</code>`).join('<span>→</span>')
  const rows = [
    ['2026-01-11', 'stability_crash', '29'],
    ['2026-01-11', 'login_account', '17'],
    ['2026-01-04', 'stability_crash', '12'],
    ['2026-01-04', 'update_regression', '8'],
  ]
  return `<div class="steps">${line}</div>${panel('Bug reports per week and theme', table(['week', 'theme', 'reports'], rows))}`
}

/** `*bold*`, `_italic_` and escaped characters, as Slack shows them. */
function slack(message: string): string {
  const shown = message
    .replaceAll(/(^|\s)\*([^*\n]+)\*/g, '$1<b>$2</b>')
    .replaceAll(/(^|\n)_([^_\n]+)_/g, '$1<i>$2</i>')
  return panel('Slack, #app-reviews', `<div class="lines">${shown}</div>`)
}

function panel(title: string, content: string): string {
  return `<section><h2>${text(title)}</h2>${content}</section>`
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => `<th>${text(column)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`)
  return `<table><tr>${head}</tr>${body.join('')}</table>`
}
