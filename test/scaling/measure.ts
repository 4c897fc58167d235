import { createLanguageEngine } from '../../packages/language/src/engine.ts'
import { csvOf } from '../../src/api/export.ts'
import { excerpt, sanitize } from '../../src/cli/table.ts'
import { parsePageReviews } from '../../src/pipeline/appstores/apple/app-page.ts'
import { parseFeedXml } from '../../src/pipeline/appstores/apple/feed-xml.ts'
import { isCaptcha, unreadable } from '../../src/pipeline/appstores/apple/unreadable.ts'
import { readRpcAnswer } from '../../src/pipeline/appstores/google/batchexecute.ts'
import { readDetails } from '../../src/pipeline/appstores/google/details-page.ts'
import { readSearchPage } from '../../src/pipeline/appstores/google/search.ts'
import { extractJson } from '../../src/pipeline/enrich/llm/extract-json.ts'
import { redact } from '../../src/pipeline/enrich/llm/redact.ts'
import { httpDateMs } from '../../src/runtime/retry-after.ts'
import { families } from './families.ts'
import { growthOf, LONG, RATIO_MAX } from './growth.ts'

/**
 * Run by scaling.integration.test.ts in a separate process. Writes a line for each family before its measurement, to name one that
 * never ends, and a line for each reader with more than linear time.
 */

type Reader = {
  readonly name: string
  readonly read: (text: string) => unknown
  /** Characters of the short text; the long one has four times as many. */
  readonly chars: number
  /** The minimum time assumed for the short text: below it clock and garbage collector dominate. */
  readonly floorMs: number
}

const engine = await createLanguageEngine()
const PAGE = { chars: 8_000, floorMs: 1 }
const READERS: readonly Reader[] = [
  {
    name: 'the enrichment engine',
    read: (body) => engine({ title: null, body, rating: 2, storefront: 'us', app: null }),
    chars: 1_000,
    floorMs: 4,
  },
  { name: 'redact', read: redact, chars: 1_000, floorMs: 1 },
  { name: 'the JSON of a model', read: extractJson, ...PAGE },
  { name: "Apple's XML feed", read: (text) => parseFeedXml(`<feed><entry>${text}`), ...PAGE },
  { name: "Apple's app page", read: (text) => parsePageReviews(text), ...PAGE },
  {
    name: 'an unreadable answer of Apple',
    read: (text) => unreadable('web', text, 'it is not JSON'),
    ...PAGE,
  },
  { name: 'a captcha of Apple', read: isCaptcha, ...PAGE },
  { name: "Google's frames", read: (text) => readRpcAnswer(`)]}'\n${text}`, 'oCPfdb'), ...PAGE },
  {
    name: "Google's app page",
    read: (text) => readDetails(`<script>AF_dataServiceRequests = {${text}`, 'com.example'),
    ...PAGE,
  },
  { name: "Google's search page", read: readSearchPage, ...PAGE },
  { name: 'Retry-After', read: (text) => httpDateMs(text, 0), ...PAGE },
  { name: 'a line of CSV', read: (text) => csvOf([[text]]), ...PAGE },
  { name: 'a table of the command', read: (text) => [sanitize(text), excerpt(text, 80)], ...PAGE },
]

const only = process.argv[2]
for (const family of families()) {
  console.log(`family ${family.name}`)
  for (const reader of READERS) {
    if (only !== undefined && !reader.name.includes(only)) continue
    const ratio = await growthOf(
      reader.read,
      family.text(reader.chars),
      family.text(LONG * reader.chars),
      reader.floorMs,
    )
    if (ratio > RATIO_MAX)
      console.log(`slow ${reader.name}: ${ratio.toFixed(1)} times as long for ${LONG} times the text`)
  }
}
console.log('done')
