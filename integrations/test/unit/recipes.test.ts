import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEvent } from '../../../src/contract/sample.ts'
import { readJson } from '../support/files.ts'

/** Expressions of the n8n recipes with hostile reviews. `integrations/test/n8n` runs the recipes in a real n8n. */

type Node = { readonly name: string; readonly parameters: Readonly<Record<string, string>> }

/** A text of n8n: after `=`, each `{{…}}` is JavaScript. */
function evaluate(template: string, $json: object): string {
  return template
    .replace(/^=/, '')
    .replaceAll(/\{\{([\s\S]*?)\}\}/g, (_, code: string) =>
      String(new Function('$json', `return (${code})`)($json)),
    )
}

test('the issue of a bug report keeps every line of the review in its code block', () => {
  const { nodes } = readJson<{ readonly nodes: readonly Node[] }>(
    'n8n/recipes/reviews-to-slack-and-github.json',
  )
  const template = nodes.find(({ name }) => name === 'Create Issue')?.parameters.body ?? ''
  // Each of these ends a line in Markdown.
  const body = ['first', '\n\n@someone', '\r\r@someone', '\r\n\r\n@someone'].join('')
  const issue = evaluate(template, { ...sampleEvent('review.created'), title: null, body })
  const lines = issue.split(/\r\n|\r|\n/)
  assert.equal(lines.filter((line) => line === '    @someone').length, 3)
  assert.deepEqual(
    lines.filter((line) => line.includes('@') && !line.startsWith('    ')),
    [],
  )
})
