import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  STOREFRONT_NAMES,
  THEME_NAMES,
} from '../../../src/contract/console/display-names.ts'
import { sampleEvent } from '../../../src/contract/sample.ts'
import { REVIEW_FILTER_FIELDS } from '../../../src/model/watch-filter.ts'
import { readJson } from '../support/files.ts'
import { n8nVocabulary, pipedreamSource, zapierApps, zapierFilters } from '../support/modules.ts'

/** Each package has copies of values, names and samples of the service, because it is installed alone (docs/decisions.md). */

type Names = Readonly<Record<string, string>>
type Options = readonly { readonly value: unknown; readonly label?: string; readonly name?: string }[]

const namesOf = (options: Options): Names =>
  Object.fromEntries(options.map(({ value, label, name }) => [String(value), label ?? name ?? '']))
const pipedream = (prop: string) => namesOf(pipedreamSource.props[prop]?.options as Options)
const make = (file: string, field: string) => {
  const fields = readJson<readonly { readonly name: string; readonly options: Options }[]>(`make/${file}`)
  return namesOf(fields.find(({ name }) => name === field)?.options ?? [])
}
const SEARCH = 'modules/search-reviews.mappable-params.iml.json'
const NEW_REVIEW = 'webhooks/new-review.params.iml.json'

const STARS = Object.fromEntries(
  [1, 2, 3, 4, 5].map((stars) => [stars, stars === 1 ? '1 star' : `${stars} stars`]),
)
const STOREFRONTS = Object.fromEntries(
  Object.entries(STOREFRONT_NAMES).map(([code, name]) => [code, name.replace(/^the /, '')]),
)
const COPIES: readonly [string, Names, Readonly<Record<string, Names>>][] = [
  [
    'storefronts',
    STOREFRONTS,
    {
      n8n: namesOf(n8nVocabulary.STOREFRONTS),
      Zapier: zapierApps.COUNTRIES,
      Pipedream: pipedream('countries'),
      'Make, new review': make(NEW_REVIEW, 'countries'),
      'Make, rating drop': make('webhooks/rating-drop.params.iml.json', 'countries'),
      'Make, rating recovery': make('webhooks/rating-recovery.params.iml.json', 'countries'),
      'Make, review spike': make('webhooks/review-spike.params.iml.json', 'countries'),
      'Make, search': make(SEARCH, 'country'),
      'Make, ratings': make('modules/list-ratings.mappable-params.iml.json', 'country'),
      'Make, statistics': make('modules/get-statistics.mappable-params.iml.json', 'country'),
    },
  ],
  [
    'themes',
    THEME_NAMES,
    {
      n8n: namesOf(n8nVocabulary.THEMES),
      Zapier: zapierFilters.THEMES,
      Pipedream: pipedream('themes'),
      'Make, new review': make(NEW_REVIEW, 'themes'),
      'Make, search': make(SEARCH, 'theme'),
    },
  ],
  [
    'sentiments',
    SENTIMENT_NAMES,
    {
      n8n: namesOf(n8nVocabulary.SENTIMENTS),
      Zapier: zapierFilters.SENTIMENTS,
      Pipedream: pipedream('sentiments'),
      'Make, new review': make(NEW_REVIEW, 'sentiments'),
      'Make, search': make(SEARCH, 'sentiment'),
    },
  ],
  [
    'severities',
    SEVERITY_NAMES,
    {
      n8n: namesOf(n8nVocabulary.SEVERITIES),
      Zapier: zapierFilters.SEVERITIES,
      Pipedream: pipedream('severities'),
      'Make, new review': make(NEW_REVIEW, 'severities'),
      'Make, search': make(SEARCH, 'severity'),
    },
  ],
  [
    'stars',
    STARS,
    {
      n8n: namesOf(n8nVocabulary.STARS),
      'Make, least stars': make(NEW_REVIEW, 'min_stars'),
      'Make, most stars': make(NEW_REVIEW, 'max_stars'),
      'Make, search': make(SEARCH, 'stars'),
    },
  ],
]

/** n8n writes names in title case. */
const lowerCase = (names: Names) =>
  Object.fromEntries(Object.entries(names).map(([code, name]) => [code, name.toLowerCase()]))

for (const [vocabulary, names, copies] of COPIES)
  test(`the packages have the ${vocabulary} of the service, with their names`, () => {
    for (const [where, copy] of Object.entries(copies))
      if (where === 'n8n') assert.deepEqual(lowerCase(copy), lowerCase(names), where)
      else assert.deepEqual(copy, { ...names }, where)
  })

test('the triggers of Zapier and Pipedream have the review filters of the API', () => {
  const filters = REVIEW_FILTER_FIELDS.toSorted()
  assert.deepEqual(zapierFilters.reviewFilterFields.map(({ key }) => key).sort(), filters)
  const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  for (const name of filters) assert.ok(camel(name) in pipedreamSource.props, name)
  const all = Object.fromEntries(filters.map((name) => [camel(name), ['a value']]))
  assert.deepEqual(Object.keys(pipedreamSource.methods.filters?.call(all) ?? {}).sort(), filters)
})

test('the sample event of Pipedream is that of the service', () => {
  assert.deepEqual(pipedreamSource.sampleEmit, sampleEvent('review.created'))
})
