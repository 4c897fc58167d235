import { chromium } from 'playwright-core'
import { type Recipe, recipeOf } from './recipe.ts'
import { bigquery, incidents, sheetRows, slackAndIssue, weeklyDigest } from './results.ts'
import { workflowSvg } from './workflow.ts'

/**
 * Draws the recipes of docs/how-to: their workflow, and what it makes of invented events. `node scripts/recipe-pictures/main.ts`, with the
 * environment variable CHROMIUM for another browser than /usr/bin/chromium. By default writes to docs/images.
 */

const RESULTS: Readonly<Record<string, (recipe: Recipe) => string>> = {
  'reviews-to-slack-and-github': slackAndIssue,
  'low-ratings-to-on-call': incidents,
  'weekly-digest': weeklyDigest,
  'feature-requests-to-a-sheet': sheetRows,
}

const CSS = `body{margin:0;padding:20px 24px;width:fit-content;min-width:640px;max-width:1000px;background:#fff;color:#1c1e21;font:14px/1.45 system-ui,sans-serif}
svg{display:block;margin:-8px -8px 12px}.name{font-weight:600;font-size:13.5px}.type{font-size:12px;fill:#57606a}
section{border:1px solid #d0d7de;border-radius:8px;padding:12px 14px;margin-top:12px;overflow-wrap:anywhere}
h2{font-size:12px;color:#57606a;margin:0 0 8px;font-weight:600}.lines{white-space:pre-line}
pre{white-space:pre-wrap;margin:8px 0 0;font:12px/1.5 ui-monospace,monospace;background:#f6f8fa;padding:8px;border-radius:6px}
.label{background:#eef0f3;border-radius:10px;padding:1px 8px;font-size:12px}.small{font-size:12px;color:#57606a}.row+.row{margin-top:10px}
table{border-collapse:collapse;font-size:13px}th,td{border:1px solid #d0d7de;padding:4px 8px;text-align:left}th,td:first-child{white-space:nowrap}th{background:#f6f8fa}
.steps{display:flex;gap:10px;align-items:center}.step{border:1px solid #c8ced5;border-left:6px solid #0f7285;border-radius:8px;padding:10px 12px;font-size:13px}`

const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(RESULTS).map(([name, result]) => {
      const recipe = recipeOf(name)
      return [name, workflowSvg(recipe) + result(recipe)]
    }),
  ),
  bigquery: bigquery(),
}

const folder = process.argv[2] ?? 'docs/images'
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const view = await browser.newPage({ viewport: { width: 1100, height: 600 } })
  for (const [name, content] of Object.entries(pages)) {
    await view.setContent(`<!doctype html><meta charset="utf-8"><style>${CSS}</style>${content}`)
    await view.locator('body').screenshot({ path: `${folder}/recipe-${name}.png` })
  }
} finally {
  await browser.close()
}
