const { appField, countriesField } = require('../lib/apps')
const { hookOperation } = require('../lib/hook-trigger')
const { reviewFields } = require('../lib/output-fields')
const { filtersOf, reviewFilterFields } = require('../lib/review-filters')
const sample = require('../samples/review-created.json')

const STARS = { 1: '1 star', 2: '2 stars', 3: '3 stars', 4: '4 stars', 5: '5 stars' }

module.exports = {
  key: 'new_review',
  noun: 'Review',
  display: {
    label: 'New Review',
    description: 'Triggers when an app gets a new review in the App Store or Google Play.',
  },
  operation: hookOperation({
    eventType: 'review.created',
    inputFields: [
      appField,
      countriesField,
      { key: 'min_stars', label: 'Minimum Stars', type: 'integer', required: false, choices: STARS },
      { key: 'max_stars', label: 'Maximum Stars', type: 'integer', required: false, choices: STARS },
      ...reviewFilterFields,
    ],
    ruleOf: ({ min_stars, max_stars, ...filters }) => ({
      ...filtersOf(filters),
      ...(min_stars ? { min_stars: Number(min_stars) } : {}),
      ...(max_stars ? { max_stars: Number(max_stars) } : {}),
    }),
    sample,
    outputFields: reviewFields,
  }),
}
