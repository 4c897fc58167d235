import { createLanguageEngine } from '../../packages/language/src/engine.ts'
import { csvOf } from '../../src/api/export.ts'
import { parseRows } from '../../src/api/rows.ts'
import { excerpt, sanitize } from '../../src/cli/table.ts'
import { HTTP_PRESETS } from '../../src/contract/http-presets.ts'
import { importRow } from '../../src/contract/v1/reviews.ts'
import { folded } from '../../src/model/keywords.ts'
import { isUnfitText } from '../../src/model/summary-text.ts'
import type { FormattedTargetType } from '../../src/model/target.ts'
import { parsePageReviews } from '../../src/pipeline/appstores/apple/app-page.ts'
import { parseFeedXml } from '../../src/pipeline/appstores/apple/feed-xml.ts'
import { isCaptcha, unreadable } from '../../src/pipeline/appstores/apple/unreadable.ts'
import { readRpcAnswer } from '../../src/pipeline/appstores/google/batchexecute.ts'
import { readDetails } from '../../src/pipeline/appstores/google/details-page.ts'
import { readSearchPage } from '../../src/pipeline/appstores/google/search.ts'
import { acceptDraft } from '../../src/pipeline/enrich/llm/draft/accept-draft.ts'
import { extractJson } from '../../src/pipeline/enrich/llm/extract-json.ts'
import { plainText } from '../../src/pipeline/enrich/llm/plain-text.ts'
import { redact } from '../../src/pipeline/enrich/llm/redact.ts'
import { badRequest } from '../../src/pipeline/enrich/llm/server-limits.ts'
import { maskOf } from '../../src/pipeline/send/message/mask.ts'
import { parseTemplate } from '../../src/pipeline/targets/http/template.ts'
import { TARGETS } from '../../src/pipeline/targets/index.ts'
import { cleanText, truncated, unlinked } from '../../src/pipeline/targets/text.ts'
import { recordsOf } from '../../src/runtime/csv.ts'
import { httpDateMs } from '../../src/runtime/retry-after.ts'
import { createCleanAnswer } from '../../src/service/store-answer/clean-answer.ts'
import { keyPathsOf } from '../../src/service/store-answer/key-paths.ts'
import { settingsAt } from '../support/chat/chat-services.ts'
import { contextWith, reviewWith } from '../support/chat/message-events.ts'

/** What reads a text of the outside world: of stores, reviews, receivers, chat services, mail and model servers, uploads. */
export type Reader = {
  readonly name: string
  readonly read: (text: string) => unknown
  /** Characters of the short text. */
  readonly chars: number
  /** The minimum time assumed for the short text: below it clock and garbage collector dominate. */
  readonly floorMs: number
}

const PAGE = { chars: 8_000, floorMs: 1 }
const TEXT = { chars: 4_000, floorMs: 1 }

const engine = await createLanguageEngine()
const settings: Readonly<Record<string, unknown>> = {
  ...settingsAt('https://chat.example.com'),
  http: HTTP_PRESETS.ntfy,
  email: { to: ['a@example.com'] },
}

export const READERS: readonly Reader[] = [
  {
    name: 'the enrichment engine',
    read: (body) => engine({ title: null, body, rating: 2, storefront: 'us', app: null }),
    chars: 1_000,
    floorMs: 4,
  },
  { name: 'a cleaned answer of a store', read: createCleanAnswer(), ...PAGE },
  { name: 'the shape of an answer of a store', read: (text) => keyPathsOf(text, 60), ...PAGE },
  { name: 'redact', read: redact, chars: 1_000, floorMs: 1 },
  { name: 'the JSON of a model', read: extractJson, ...PAGE },
  { name: 'an error of a model server', read: (text) => badRequest(text, ['max_tokens'], true), ...PAGE },
  {
    name: 'a draft of a model',
    read: (reply) => [
      acceptDraft(JSON.stringify({ reply }), 'App', 350),
      plainText(reply),
      isUnfitText(reply, 'App'),
    ],
    ...TEXT,
  },
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
  { name: 'a report of Google', read: (text) => [...recordsOf(Buffer.from(text), 'utf-8', true)], ...PAGE },
  { name: 'Retry-After', read: (text) => httpDateMs(text, 0), ...PAGE },
  ...(Object.keys(TARGETS) as FormattedTargetType[]).flatMap((type) => [
    {
      name: `a message to ${type}`,
      read: (text: string) =>
        TARGETS[type].message(
          reviewWith({ title: text, body: text, author: text }),
          TARGETS[type].settings.parse(settings[type]),
          contextWith(),
        ),
      ...TEXT,
    },
    {
      name: `an error of ${type}`,
      read: (text: string) => {
        for (const body of [text, JSON.stringify({ description: text, error: text, message: text })])
          TARGETS[type].failureOf({ status: 400, headers: { 'retry-after': text }, body })
        TARGETS[type].failureOf({ status: 550, headers: {}, body: text })
      },
      ...PAGE,
    },
  ]),
  { name: 'the text of a message', read: (text) => truncated(unlinked(cleanText(text)), 3_000), ...PAGE },
  { name: 'a template', read: (text) => parseTemplate(text), ...PAGE },
  {
    name: 'an answer that repeats secrets',
    read: (text) => maskOf(partsOf(text), ['headers'])(text),
    ...TEXT,
  },
  {
    name: 'secret settings',
    read: (body) => maskOf({ body, url: `https://e.example/${body.slice(0, 2_000)}` }, ['body', 'url']),
    ...TEXT,
  },
  { name: 'the keywords of a watch', read: folded, ...PAGE },
  { name: 'an import of JSON Lines', read: (text) => imported('application/jsonl', text), ...PAGE },
  { name: 'an import of CSV', read: (text) => imported('text/csv', text), ...PAGE },
  { name: 'a line of CSV', read: (text) => csvOf([[text]]), ...PAGE },
  { name: 'a table of the command', read: (text) => [sanitize(text), excerpt(text, 80)], ...PAGE },
]

/** Settings with 40 secrets that are parts of the text. */
function partsOf(text: string) {
  const parts = Array.from({ length: 40 }, (_, at) => text.slice(at % 9, (at % 9) + 1 + (at % 17)))
  return { headers: { ...parts } }
}

async function imported(type: string, text: string): Promise<void> {
  await parseRows({ schema: importRow, numbers: ['rating'], max: 5_000 }, type, Buffer.from(text)).catch(
    () => undefined,
  )
}
