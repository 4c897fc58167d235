import { createRequire } from 'node:module'
import type { analyse as Analyse } from 'scslre'
import { attacksOn, parsedExpression } from './attacks.ts'
import { expressionsOfProduct } from './expressions.ts'
import { growthOf, LONG, RATIO_MAX } from './growth.ts'

/**
 * Run by scaling.integration.test.ts in a separate process, with the output of measure.ts. An expression is analysed, and then measured
 * with texts made for it: the analysis does not see that `URL.* is invalid` begins again at each `URL`, and no text finds every overlap of
 * repetitions.
 */

const CHARS = 4_000
const FLOOR_MS = 0.5

// The types of scslre name files that its package lacks.
const { analyse }: { readonly analyse: typeof Analyse } = createRequire(import.meta.url)('scslre')

const { expressions, unknown } = await expressionsOfProduct()
for (const place of unknown)
  console.log(`slow ${place}: build it where the module is loaded, so that this test sees it`)
for (const expression of expressions) {
  const { source, flags, places } = expression
  const shown = `/${source}/${flags} in ${places.join(', ')}`
  console.log(`family ${shown}`)
  for (const { type } of analyse(parsedExpression(expression)).reports)
    console.log(`slow by analysis: ${type}`)
  const tried = new RegExp(source, flags.includes('y') || flags.includes('g') ? flags : `${flags}g`)
  const read = (text: string) => {
    tried.lastIndex = 0
    if (tried.sticky) return tried.exec(text)
    for (const _ of text.matchAll(tried));
  }
  const long = attacksOn(expression, LONG * CHARS)
  for (const short of attacksOn(expression, CHARS)) {
    const ratio = await growthOf(read, short, long.next().value ?? '', FLOOR_MS)
    if (ratio <= RATIO_MAX) continue
    const beginning = JSON.stringify(short.slice(0, 20))
    console.log(`slow with ${beginning}…: ${ratio.toFixed(1)} times as long for ${LONG} times the text`)
    break
  }
}
console.log('done')
