import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { STOREFRONTS } from '../../model/vocabulary.ts'
import { type FilterInput, watchFilterOf } from '../../model/watch-filter.ts'
import { type Place, watchSentence } from './watch-sentence.ts'

const of = ({ apps = ['Foo'], tracked = ['us'], ...filter }: Partial<FilterInput & Place>) =>
  watchSentence(watchFilterOf({ eventType: 'review.created', ...filter }), { apps, tracked })

describe('the sentence of a watch', () => {
  it('the sentence of a watch names stars and storefronts', () => {
    assert.equal(of({}), 'New reviews of Foo in the United States.')
    assert.equal(
      of({ minStars: 1, maxStars: 3, tracked: ['de', 'fr'] }),
      'New reviews with 1 to 3 stars of Foo in Germany and France.',
    )
    assert.equal(
      of({ minStars: 1, maxStars: 1, storefronts: ['jp'] }),
      'New reviews with 1 star of Foo in Japan.',
    )
    assert.equal(of({ minStars: 5, tracked: [] }), 'New reviews with 5 stars of Foo.')
    assert.equal(of({ storefronts: STOREFRONTS.slice(0, 5) }), 'New reviews of Foo in 5 storefronts.')
    assert.equal(of({ tracked: STOREFRONTS }), 'New reviews of Foo in all 16 tracked storefronts.')
  })

  it('the sentence of a watch names several apps, counts many, and includes later ones in all', () => {
    const apps = (apps: Place['apps']) => of({ apps, tracked: [] })
    assert.equal(apps(['Foo', 'Bar']), 'New reviews of Foo and Bar.')
    assert.equal(apps(['Foo', 'Foo']), 'New reviews of Foo.')
    assert.equal(apps(['A', 'B', 'C', 'D', 'E']), 'New reviews of A, B and 3 more apps.')
    assert.equal(apps('all'), 'New reviews of all apps.')
    assert.equal(
      of({ eventType: 'rating.dropped', apps: 'all', tracked: [], delta: 0.1 }),
      'When the rating of any app falls by 0.1 or more.',
    )
  })

  it('the sentence of a watch names the rules', () => {
    assert.equal(
      of({
        languages: ['de', 'ja'],
        sentiments: ['negative'],
        severities: ['medium', 'high'],
        themes: ['stability_crash', 'sync', 'ads'],
        isBugReport: true,
        isFeatureRequest: false,
      }),
      'New reviews of Foo in the United States, written in German or Japanese, that are negative, of medium or high severity, about crashes, sync or ads, that report a bug, that do not ask for a feature.',
    )
    assert.equal(
      of({
        keywords: ['refund', 'charged twice'],
        excludedKeywords: ['joke'],
        appVersions: ['4.2.*'],
        competitors: ['Acme'],
        mentionsCompetitor: true,
      }),
      'New reviews of Foo in the United States, that contain “charged twice” or “refund”, without “joke”, of version 4.2.*, that mention Acme.',
    )
    assert.equal(
      of({ keywords: ['a', 'b', 'c', 'd', 'e', 'f'], mentionsCompetitor: false }),
      'New reviews of Foo in the United States, that contain “a”, “b”, “c”, “d” or 2 others, that do not mention a competitor.',
    )
    assert.equal(
      of({ themes: [], languages: ['xx'] }),
      'New reviews of Foo in the United States, written in xx.',
    )
  })

  it('the sentence of a watch names the rating drop', () => {
    const drop = (given: Partial<FilterInput & Place>) =>
      of({ eventType: 'rating.dropped', storefronts: ['de'], ...given })
    assert.equal(drop({ delta: 0.1 }), 'When the rating of Foo in Germany falls by 0.1 or more.')
    assert.equal(
      drop({ delta: 0.2, deltaWindowHours: 168, threshold: 4 }),
      'When the rating of Foo in Germany falls by 0.2 or more within 7 days or falls below 4.',
    )
    assert.match(drop({ delta: 0.2, deltaWindowHours: 24 }), /within 24 hours\.$/)
    assert.match(drop({ delta: 0, deltaWindowHours: 1 }), /falls at all within an hour\.$/)
    assert.equal(drop({ threshold: 4 }), 'When the rating of Foo in Germany falls below 4.')
    assert.equal(
      drop({ delta: 0, threshold: 4.5 }),
      'When the rating of Foo in Germany falls at all or falls below 4.5.',
    )
  })

  it('the sentence of a watch names the spike with its limits', () => {
    const spiked = (given: Partial<FilterInput & Place>) =>
      of({ eventType: 'reviews.spiked', storefronts: ['de'], ...given })
    assert.equal(
      spiked({}),
      'When Foo in Germany gets at least 5 reviews with 1 or 2 stars within an hour, and 3 times the usual number.',
    )
    assert.match(spiked({ spikeMinReviews: 8, spikeFactor: 2.5 }), /at least 8 reviews .* and 2\.5 times/)
    assert.match(spiked({ apps: 'all' }), /^When any app in Germany gets/)
  })

  it('the sentence of a watch names the drop that a recovery makes up for', () => {
    const recovered = of({ eventType: 'rating.recovered', storefronts: ['de'], delta: 0.2, threshold: 4 })
    assert.equal(
      recovered,
      'When the rating of Foo in Germany is back to its value before it fell by 0.2 or more or fell below 4.',
    )
  })
})
